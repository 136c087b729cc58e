// The exact times and days of one window, beside its block.

import { Anchor, Button, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { dayMs } from "../../../server/core/wall-clock.ts";
import { addressOf } from "../place.ts";
import { DayChips } from "../playlists/when/DayChips.tsx";
import { timeFromText, timeToText } from "../playlists/when/fields.ts";
import { isOverMidnight, type WeeklyWindow } from "../playlists/when/weekly.ts";
import { texts } from "../texts/texts.ts";
import "./block-editor.css";

interface Props {
  readonly playlist: PlaylistV2;
  readonly window: WeeklyWindow;
  readonly onWindow: (window: WeeklyWindow) => void;
  readonly onRemove: () => void;
  readonly onOpen: (isOpen: boolean) => void;
}

export function BlockEditor(props: Props): ReactNode {
  const { playlist, window, onWindow, onRemove, onOpen } = props;
  const says = texts.playlists.when;
  const { days, fromMs, untilMs } = window;
  const field = (
    label: string,
    timeMs: number,
    put: (wished: number) => void,
  ) => (
    <TextInput
      type="time"
      label={label}
      key={`${label}${timeMs}`}
      defaultValue={timeToText(timeMs)}
      onBlur={(event) => {
        const wished = timeFromText(event.currentTarget.value);
        if (wished === null) event.currentTarget.value = timeToText(timeMs);
        else if (timeToText(wished) !== timeToText(timeMs)) put(wished);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.currentTarget.blur();
        onOpen(false);
      }}
    />
  );
  return (
    <div
      className="block-editor"
      role="group"
      aria-label={texts.schedule.editTitle(playlist.name)}
    >
      <h3>
        <bdi>{playlist.name}</bdi>
      </h3>
      <div className="block-times">
        {field(says.from, fromMs, (wished) => {
          onWindow({ ...window, fromMs: wished });
        })}
        {field(says.until, untilMs, (wished) => {
          onWindow({ ...window, untilMs: wished === 0 ? dayMs : wished });
        })}
        {isOverMidnight(window) ? (
          <p className="quiet">{says.overMidnight}</p>
        ) : null}
      </div>
      <DayChips
        days={days}
        onDays={(wished) => {
          onWindow({ ...window, days: wished });
        }}
      />
      {days.length === 0 ? <p data-tone="waiting">{says.noDays}</p> : null}
      <div className="block-steps">
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          {texts.schedule.removeTime}
        </Button>
        <Anchor href={addressOf("playlists", playlist.playlist_id)}>
          {texts.schedule.allDetails}
        </Anchor>
        <Button
          onClick={() => {
            onOpen(false);
          }}
        >
          {texts.desk.done}
        </Button>
      </div>
    </div>
  );
}
