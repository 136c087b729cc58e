// Settings of a playlist: priority, target labels, and how its items follow one another.

import { NumberInput, SegmentedControl, TagsInput } from "@mantine/core";
import { useId, type ReactNode } from "react";
import {
  maxPriority,
  type PlaylistV2,
} from "../../../server/contract/v2/v2-playlists.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { t } from "../../locales/messages.ts";
import { isForScreen, type Library } from "./schedule-inputs.ts";
import { usePlaylistActions } from "./use-playlists.ts";
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

export function Appearance({ library, playlist }: Props): ReactNode {
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
    <div className="look">
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
            className="look-groups"
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
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly title: string;
  readonly about?: string;
  readonly screenSetting: string;
  readonly value: Value;
  readonly names: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { title, about, screenSetting, value, names, onChange } = props;
  const id = useId();
  const data = Object.entries<string>(names).map(([one, label]) => ({
    ...{ value: one as Value, label },
  }));
  return (
    <Panel title={title} about={about}>
      <div className="panel-row">
        <SegmentedControl
          aria-label={title}
          aria-describedby={id}
          data={data}
          value={value}
          onChange={(value) => {
            onChange(value);
          }}
        />
        <p className="quiet" id={id}>
          {screenSetting}
        </p>
      </div>
    </Panel>
  );
}
