// Settings of a playlist: priority, target labels, and how its items follow one another.

import { NumberInput, SegmentedControl, TagsInput } from "@mantine/core";
import { useId, type ReactNode } from "react";
import {
  maxPriority,
  type PlaylistV2,
} from "../../../server/contract/v2/v2-playlists.ts";
import { Panel } from "../parts/layout/Panel.tsx";
import { texts } from "../texts/texts.ts";
import { isForScreen, type Library } from "./library.ts";
import { usePlaylistActions } from "./use-playlists.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
}

export function Appearance({ library, playlist }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { screen, playlists } = library;
  const { appearance } = texts.playlists;
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
      <Panel title={appearance.priority} about={appearance.priorityEffect}>
        <div className="panel-row">
          <NumberInput
            aria-label={appearance.priority}
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
                void change(playlist, { priority: value });
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
        </div>
      </Panel>
      <Panel title={appearance.groups} about={appearance.groupsEffect}>
        <div className="panel-row">
          <TagsInput
            aria-label={appearance.groups}
            className="look-groups"
            placeholder={groups.length === 0 ? appearance.groupsHint : ""}
            data={known}
            splitChars={[","]}
            value={[...groups]}
            onChange={(value) => void change(playlist, { groups: value })}
          />
          {isHere ? null : (
            <p data-tone="waiting">{appearance.groupsNotHere}</p>
          )}
        </div>
      </Panel>
      <Choice
        title={appearance.transition}
        about={appearance.transitionEffect}
        usual={appearance.usually(
          appearance.transitions[screen.presentationDefaults.transition],
        )}
        value={transition ?? "usual"}
        names={appearance.transitions}
        onChange={(value) =>
          void change(playlist, {
            transition: value === "usual" ? null : value,
          })
        }
      />
      <Choice
        title={appearance.shuffle}
        about={appearance.shuffleEffect}
        usual={appearance.usually(
          appearance.shuffles[screen.isShuffled ? "on" : "off"],
        )}
        value={shuffle === null ? "usual" : shuffle ? "on" : "off"}
        names={appearance.shuffles}
        onChange={(value) =>
          void change(playlist, {
            shuffle: value === "usual" ? null : value === "on",
          })
        }
      />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly title: string;
  readonly about: string;
  readonly usual: string;
  readonly value: Value;
  readonly names: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>): ReactNode {
  const { title, about, usual, value, names, onChange } = props;
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
          {usual}
        </p>
      </div>
    </Panel>
  );
}
