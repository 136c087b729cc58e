// One item of a playlist: grip, picture, name, how long it stays, and the way out.

import { IconGripVertical, IconX } from "@tabler/icons-react";
import { memo, useRef, useState, type ReactNode } from "react";
import { formats, texts } from "../../texts/texts.ts";
import { lengthFromText, lengthToText } from "../order.ts";
import { Thumb } from "../Thumb.tsx";
import { Carrier } from "./Carrier.tsx";
import type { Entry, ItemActions } from "./entry.ts";
import { dragHow, dragId, usePickUp } from "./use-dragging.ts";

interface Props {
  readonly entry: Entry;
  readonly index: number;
  readonly count: number;
  /** From the top of the list. */
  readonly startPx: number;
  readonly isChosen: boolean;
  /** Something is carried that could be put here, or is about to be. */
  readonly isCarrying: boolean;
  readonly onCarry: () => void;
  readonly actions: ItemActions;
  readonly onChoose: (id: string, isChosen: boolean) => void;
}

export const ItemRow = memo(function ItemRow(props: Props): ReactNode {
  const { entry, index, count, startPx, isChosen, actions, onChoose } = props;
  const { id, name } = entry;
  const row = useRef<HTMLLIElement>(null);
  const grip = useRef<HTMLButtonElement>(null);
  const { pickUp, carrier } = usePickUp(props.onCarry);
  return (
    <li
      ref={row}
      className="item-row"
      data-item={id}
      data-chosen={isChosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ insetBlockStart: startPx }}
    >
      <button
        ref={grip}
        type="button"
        className="item-grip"
        data-control="grip"
        aria-roledescription="sortable"
        aria-describedby={dragHow}
        aria-label={`${texts.playlists.drag(name)}, ${texts.playlists.place(index + 1, count)}`}
        onPointerDown={pickUp}
        onKeyDown={pickUp}
      >
        <IconGripVertical size={18} aria-hidden />
      </button>
      {props.isCarrying ? (
        <Carrier
          {...{ id: dragId("list", id), axis: "down", element: row, grip }}
          ref={carrier}
        />
      ) : null}
      <ItemParts {...{ entry, index, isChosen, actions, onChoose }} />
    </li>
  );
});

/** All that dragging leaves as it is. Plain elements: a screenful of rows is drawn at every step of a scroll. */
const ItemParts = memo(function ItemParts(
  props: Pick<Props, "entry" | "index" | "isChosen" | "actions" | "onChoose">,
): ReactNode {
  const { entry, index, isChosen, actions, onChoose } = props;
  const { id, name, view } = entry;
  return (
    <>
      <input
        type="checkbox"
        className="item-choose"
        aria-label={texts.playlists.chooseItem(name)}
        data-control="choose"
        checked={isChosen}
        onChange={(event) => {
          onChoose(id, event.currentTarget.checked);
        }}
      />
      <span className="item-place quiet">{formats.count(index + 1)}</span>
      <Thumb view={view} />
      <span className="item-words">
        <span className="item-name" dir="auto" title={name}>
          {name}
        </span>
        <ItemState entry={entry} />
      </span>
      <DurationField
        key={entry.duration}
        entry={entry}
        onSeconds={(seconds) => {
          actions.time(new Set([id]), seconds);
        }}
      />
      <button
        type="button"
        className="item-remove"
        data-control="remove"
        aria-label={texts.playlists.removeItem(name)}
        onClick={({ detail }) => {
          // The second of a double click falls on the item that came in its place.
          if (detail < 2) actions.takeOut(new Set([id]));
        }}
      >
        <IconX size={18} aria-hidden />
      </button>
    </>
  );
});

/** What is in its way, else how long it really stays. */
function ItemState({ entry }: { readonly entry: Entry }): ReactNode {
  const { view, seconds, name } = entry;
  const trouble =
    view === undefined
      ? texts.playlists.missing
      : (view.problem ?? (view.isEnabled ? null : texts.playlists.disabled));
  if (trouble !== null && trouble !== name)
    return (
      <span className="item-state" data-tone="waiting" dir="auto">
        {trouble}
      </span>
    );
  return (
    <span className="item-state quiet">
      {seconds === null ? texts.playlists.wholeLength : formats.length(seconds)}
    </span>
  );
}

interface DurationProps {
  readonly entry: Entry;
  readonly onSeconds: (seconds: number | null) => void;
}

/** Empty goes by the asset; taken over when it is left or confirmed, Escape puts it back. */
function DurationField({ entry, onSeconds }: DurationProps): ReactNode {
  const { duration, seconds, name } = entry;
  const before = lengthToText(duration);
  const [written, setWritten] = useState(before);
  const wished = lengthFromText(written);
  return (
    <input
      className="item-duration"
      data-control="duration"
      aria-label={texts.playlists.durationOf(name)}
      placeholder={
        seconds === null ? texts.playlists.wholeLength : formats.length(seconds)
      }
      value={written}
      aria-invalid={wished === undefined}
      title={
        wished === undefined
          ? texts.playlists.durationWrong
          : texts.playlists.durationOf(name)
      }
      onChange={(event) => {
        setWritten(event.currentTarget.value);
      }}
      onBlur={() => {
        if (wished === undefined) setWritten(before);
        else if (wished !== duration) onSeconds(wished);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setWritten(before);
      }}
    />
  );
}
