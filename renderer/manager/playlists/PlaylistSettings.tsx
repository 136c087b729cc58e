// Settings of a playlist: priority, target labels, and how its items follow one another.

import { NumberInput, SegmentedControl, Stack, TagsInput } from "@mantine/core";
import { useId, type ReactNode } from "react";
import {
  maxPriority,
  type PlaylistV2,
} from "../../../server/contract/v2/v2-playlists.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { useMayChange } from "../playlist-actions/PlaylistPermission.tsx";
import { PlaylistScreens } from "./PlaylistScreens.tsx";
import { isForScreen, type Library } from "../lineup/schedule-inputs.ts";
import { usePlaylistActions } from "../playlist-actions/use-playlists.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

const transitionNames = {
  default: t("playlists.settings.transitions.default"),
  cut: t("playlists.settings.transitions.cut"),
  "cross-fade": t("playlists.settings.transitions.cross-fade"),
};

const orderNames = {
  default: t("playlists.settings.orders.default"),
  shuffled: t("playlists.settings.orders.shuffled"),
  "in-order": t("playlists.settings.orders.in-order"),
};

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
}

export function Appearance(props: Props): ReactNode {
  return can("player") ? (
    <PlayerSettings {...props} />
  ) : (
    <ServiceSettings {...props} />
  );
}

const priorityNames = {
  normal: t("playlists.service.priorities.normal"),
  high: t("playlists.service.priorities.high"),
};

const transitionsOfService = {
  cut: transitionNames.cut,
  "cross-fade": transitionNames["cross-fade"],
};

/** What a content service stores of a playlist (V3-190). */
function ServiceSettings({ playlist }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const mayChange = useMayChange();
  const { priority, transition } = playlist;
  const choices = { isReadOnly: !mayChange };
  return (
    <Stack p={16} maw={860}>
      <PlaylistScreens playlist={playlist} />
      <Choice
        title={t("playlists.settings.priority")}
        about={t("playlists.service.priorityHelp")}
        value={priority > 0 ? "high" : "normal"}
        names={priorityNames}
        {...choices}
        onChange={(value) => {
          change(playlist, { priority: value === "high" ? 1 : 0 }).catch(
            notifyInternalError,
          );
        }}
      />
      <Choice
        title={t("playlists.settings.transition")}
        value={transition ?? "cross-fade"}
        names={transitionsOfService}
        {...choices}
        onChange={(value) => {
          change(playlist, { transition: value }).catch(notifyInternalError);
        }}
      />
    </Stack>
  );
}

function PlayerSettings({ library, playlist }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { screen, playlists } = library;
  const known = [
    ...new Set([
      ...screen.groups,
      ...playlists.flatMap(({ groups }) => groups),
    ]),
  ];
  const { priority, groups, transition, shuffle } = playlist;
  const isHere = isForScreen(groups, screen.groups);
  return (
    <Stack p={16} maw={860}>
      <Panel
        title={t("playlists.settings.priority")}
        about={t("playlists.settings.priorityHelp")}
      >
        <div className="panel-row">
          <NumberInput
            aria-label={t("playlists.settings.priority")}
            min={0}
            max={maxPriority}
            allowDecimal={false}
            clampBehavior="strict"
            w={120}
            key={priority}
            defaultValue={priority}
            onBlur={(event) => {
              const value = Number(event.currentTarget.value);
              if (event.currentTarget.value !== "" && value !== priority)
                change(playlist, { priority: value }).catch(
                  notifyInternalError,
                );
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
        </div>
      </Panel>
      <Panel
        title={t("playlists.settings.groups")}
        about={t("playlists.settings.groupsHelp")}
      >
        <div className="panel-row">
          <TagsInput
            aria-label={t("playlists.settings.groups")}
            flex="1 1 260px"
            maw={480}
            placeholder={
              groups.length === 0 ? t("playlists.settings.groupsHint") : ""
            }
            data={known}
            splitChars={[","]}
            value={[...groups]}
            onChange={(value) => {
              change(playlist, { groups: value }).catch(notifyInternalError);
            }}
          />
          {isHere ? null : (
            <p data-tone="waiting">{t("playlists.settings.groupsNotHere")}</p>
          )}
        </div>
      </Panel>
      <Choice
        title={t("playlists.settings.transition")}
        screenSetting={t("playlists.settings.screenSetting", {
          value: transitionNames[screen.presentationDefaults.transition],
        })}
        value={transition ?? "default"}
        names={transitionNames}
        onChange={(value) => {
          change(playlist, {
            transition: value === "default" ? null : value,
          }).catch(notifyInternalError);
        }}
      />
      <Choice
        title={t("playlists.settings.order")}
        about={t("playlists.settings.orderHelp")}
        screenSetting={t("playlists.settings.screenSetting", {
          value: orderNames[screen.isShuffled ? "shuffled" : "in-order"],
        })}
        value={shuffle === null ? "default" : shuffle ? "shuffled" : "in-order"}
        names={orderNames}
        onChange={(value) => {
          change(playlist, {
            shuffle: value === "default" ? null : value === "shuffled",
          }).catch(notifyInternalError);
        }}
      />
    </Stack>
  );
}

interface ChoiceProps<Value extends string> {
  readonly title: string;
  readonly about?: string;
  /** What the default of the screen is; a content service has none. */
  readonly screenSetting?: string;
  readonly isReadOnly?: boolean;
  readonly value: Value;
  readonly names: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { title, about, screenSetting, value, names, onChange } = props;
  const { isReadOnly = false } = props;
  const id = useId();
  const data = Object.entries<string>(names).map(([one, label]) => ({
    ...{ value: one as Value, label },
  }));
  return (
    <Panel title={title} about={about}>
      <div className="panel-row">
        {isReadOnly ? (
          <p>{names[value]}</p>
        ) : (
          <SegmentedControl
            aria-label={title}
            aria-describedby={screenSetting === undefined ? undefined : id}
            data={data}
            value={value}
            onChange={(value) => {
              onChange(value);
            }}
          />
        )}
        {screenSetting === undefined ? null : (
          <p className="quiet" id={id}>
            {screenSetting}
          </p>
        )}
      </div>
    </Panel>
  );
}
