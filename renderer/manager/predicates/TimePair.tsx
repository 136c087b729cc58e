// Start and end time of a window: two fields, saved together when both have lost the focus.

import { Button, Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { ChangedElsewhere } from "../components/drafts/ChangedElsewhere.tsx";
import { t } from "../../locales/messages.ts";
import { hasHalfTyped, isLeft, type WindowDraft } from "./use-window-draft.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly draft: WindowDraft;
  readonly noteId: string;
  /** False where they are saved by a button. */
  readonly isSavedWhenLeft: boolean;
}

export function TimePair(props: Props): ReactNode {
  const { noteId, isSavedWhenLeft } = props;
  const { attach, ...draft } = props.draft;
  const field = (label: string, part: "from" | "until") => (
    <TextInput
      ref={part === "from" ? attach : undefined}
      type="time"
      label={label}
      aria-describedby={noteId}
      className="beside-label"
      value={draft[part]}
      onChange={({ currentTarget: { value, validity } }) => {
        draft.put({ [part]: value }, validity.badInput);
      }}
    />
  );
  return (
    <Group
      align="end"
      gap={8}
      onBlur={(event) => {
        if (isSavedWhenLeft && isLeft(event))
          draft
            .leave(hasHalfTyped(event.currentTarget))
            .catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        if (!isSavedWhenLeft) return;
        const { currentTarget, target } = event;
        if (event.key === "Enter" && target instanceof HTMLInputElement)
          draft.leave(hasHalfTyped(currentTarget)).catch(notifyInternalError);
        if (event.key === "Escape") draft.drop();
      }}
    >
      {field(t("playlists.schedule.from"), "from")}
      {field(t("playlists.schedule.until"), "until")}
      {draft.needsNextDayConfirmation ? (
        <Button
          variant="default"
          onClick={() => {
            draft.takeNextDay();
          }}
        >
          {t("playlists.schedule.playOvernight")}
        </Button>
      ) : null}
      {draft.isChanged ? (
        <ChangedElsewhere
          label={t("playlists.schedule.times")}
          theirs={draft.theirs}
          onKeep={draft.keepMine}
          onTheirs={draft.useTheirs}
        />
      ) : null}
    </Group>
  );
}
