// One item of a playlist: drag handle, thumbnail, name, duration, and the button to remove it.

import { IconGripVertical, IconX } from "@tabler/icons-react";
import { memo, useRef, type ReactNode } from "react";
import { draftInput } from "../../components/drafts/draft-input.ts";
import { ChangedElsewhere } from "../../components/drafts/ChangedElsewhere.tsx";
import { useDraft } from "../../components/drafts/use-draft.ts";
import { wayBackHere } from "../../place/navigation.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useObstacle } from "../why-not-playing.ts";
import {
  lengthFromText,
  lengthToText,
} from "../../playlist-actions/item-order.ts";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import { Thumbnail } from "../../assets/Thumbnail.tsx";
import { Carrier } from "./Draggable.tsx";
import type { Entry, ItemActions } from "./playlist-item.ts";
import { dragHow, dragId, usePickUp } from "./use-dragging.ts";

interface Props {
  readonly entry: Entry;
  readonly index: number;
  readonly count: number;
  /** From the top of the list. */
  readonly startPx: number;
  readonly isChosen: boolean;
  /** Something is being dragged that can be dropped here, or is about to be. */
  readonly isCarrying: boolean;
  readonly onCarry: () => void;
  readonly actions: ItemActions;
  readonly onChoose: (id: string, isChosen: boolean) => void;
}

export const ItemRow = memo(function ItemRow(props: Props): ReactNode {
  const { entry, index, count, startPx, isChosen, actions, onChoose } = props;
  const { id, name } = entry;
  const row = useRef<HTMLLIElement>(null);
  const dragHandle = useRef<HTMLButtonElement>(null);
  const mayChange = useMayChange();
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
      {mayChange ? (
        <button
          ref={dragHandle}
          type="button"
          className="plain-icon item-grip"
          data-control="grip"
          aria-roledescription="sortable"
          aria-describedby={dragHow}
          aria-label={t("playlists.content.moveItem", {
            name,
            place: index + 1,
            count,
          })}
          onPointerDown={pickUp}
          onKeyDown={pickUp}
        >
          <IconGripVertical size={18} aria-hidden />
        </button>
      ) : null}
      {props.isCarrying ? (
        <Carrier
          {...{
            id: dragId("list", id),
            axis: "down",
            element: row,
            dragHandle,
          }}
          ref={carrier}
        />
      ) : null}
      <ItemParts {...{ entry, index, isChosen, actions, onChoose }} />
    </li>
  );
});

/** The parts that a drag does not change. Plain elements: a whole screen of rows is rendered at every step of a scroll. */
const ItemParts = memo(function ItemParts(
  props: Pick<Props, "entry" | "index" | "isChosen" | "actions" | "onChoose">,
): ReactNode {
  const { entry, index, isChosen, actions, onChoose } = props;
  const { id, name, view } = entry;
  const mayChange = useMayChange();
  return (
    <>
      {mayChange ? (
        <input
          type="checkbox"
          className="item-choose"
          aria-label={t("playlists.content.selectItem", { name })}
          data-control="choose"
          checked={isChosen}
          onChange={(event) => {
            onChoose(id, event.currentTarget.checked);
          }}
        />
      ) : null}
      <span className="item-place quiet figures">
        {formats.count(index + 1)}
      </span>
      <Thumbnail view={view} />
      <span className="lines">
        <span className="one-line item-name" dir="auto" title={name}>
          {name}
        </span>
        <ItemState entry={entry} />
      </span>
      {mayChange ? (
        <>
          <DurationField
            key={id}
            entry={entry}
            onSeconds={(seconds) => actions.time(new Set([id]), seconds)}
          />
          <button
            type="button"
            className="plain-icon"
            data-control="remove"
            aria-label={t("playlists.content.removeItem", { name })}
            onClick={({ detail }) => {
              // The second click of a double click hits the item that took its place.
              if (detail < 2) actions.takeOut(new Set([id]));
            }}
          >
            <IconX size={18} aria-hidden />
          </button>
        </>
      ) : null}
    </>
  );
});

/** What prevents it from playing, otherwise how long it actually stays. */
function ItemState({ entry }: { readonly entry: Entry }): ReactNode {
  const { view, seconds, name } = entry;
  const obstacle = useObstacle(view);
  const problem =
    view === undefined
      ? t("playlists.content.missing")
      : (view.problem ??
        (obstacle === null ? null : t(`library.states.${obstacle}`)));
  if (problem !== null && problem !== name)
    return (
      <span className="one-line item-state" data-tone="waiting" dir="auto">
        {problem}
      </span>
    );
  return (
    <span className="one-line item-state quiet">
      {seconds === null
        ? t("playlists.content.fullLength")
        : formats.length(seconds)}
    </span>
  );
}

interface DurationProps {
  readonly entry: Entry;
  readonly onSeconds: (seconds: number | null) => Promise<boolean>;
}

/** Empty uses the asset's duration; saved on blur or Enter, Escape restores it. */
function DurationField({ entry, onSeconds }: DurationProps): ReactNode {
  const { id, duration, seconds, name } = entry;
  const stored = lengthToText(duration);
  const { attach, ...draft } = useDraft({
    ...{ key: `item ${id} duration`, stored },
    read: (text) => {
      const parsed = lengthFromText(text);
      return parsed === undefined
        ? { wrong: t("playlists.content.invalidDuration") }
        : { stored: lengthToText(parsed) };
    },
    save: async (text) => {
      const isSaved = await onSeconds(lengthFromText(text) ?? null);
      return isSaved ? { isSaved } : { isSaved, reason: null };
    },
    place: {
      ...{ field: t("playlists.content.duration"), of: name },
      goBack: wayBackHere(),
    },
  });
  const written = draft.typed ?? stored;
  const isWrong = lengthFromText(written) === undefined;
  return (
    <>
      <input
        ref={attach}
        className="item-duration figures"
        data-control="duration"
        aria-label={t("playlists.content.itemDuration", { name })}
        placeholder={
          seconds === null
            ? t("playlists.content.fullLength")
            : formats.length(seconds)
        }
        value={written}
        aria-invalid={isWrong}
        title={
          isWrong
            ? t("playlists.content.invalidDuration")
            : t("playlists.content.itemDuration", { name })
        }
        onChange={(event) => {
          draft.type(event.currentTarget.value);
        }}
        {...draftInput(draft, isWrong)}
      />
      {draft.isChanged ? (
        <ChangedElsewhere
          label={t("playlists.content.itemDuration", { name })}
          theirs={stored}
          onKeep={draft.keepMine}
          onTheirs={draft.useTheirs}
        />
      ) : null}
    </>
  );
}
