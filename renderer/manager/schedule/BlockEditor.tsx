// Editor of the exact times and days of one window, next to its block.

import { Anchor, Button, Group, Stack, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useId, useRef, type ReactNode } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { addressOf } from "../place/navigation.ts";
import { AlwaysQuestion } from "../predicates/AlwaysConfirmation.tsx";
import { DayChips } from "../predicates/DayChips.tsx";
import { TimePair } from "../predicates/TimePair.tsx";
import {
  hasHalfTyped,
  useWindowDraft,
} from "../predicates/use-window-draft.ts";
import {
  isOverMidnight,
  type WeeklyWindow,
} from "../predicates/weekly-windows.ts";
import { t } from "../../locales/messages.ts";
import { useServiceWeek } from "./service-week.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly place: number;
  readonly zone: string;
  readonly window: WeeklyWindow;
  /** Its only time is about to be removed. */
  readonly isRemoving: boolean;
  /** Returns whether it was accepted. */
  readonly onWindow: (window: WeeklyWindow) => Promise<boolean>;
  readonly onRemove: () => void;
  /** Plays around the clock from now on, or not at all, or stays as it was. */
  readonly onRemoved: (way: "always" | "off" | "kept") => void;
  readonly onOpen: (isOpen: boolean) => void;
}

/** Days and times are saved together on closing, except by Escape, which discards the changes. */
export function BlockEditor(props: Props): ReactNode {
  const { playlist, place, zone, onWindow, onRemove, onOpen } = props;
  const { playlist_id: id, name } = playlist;
  const service = useServiceWeek();
  const note = useId();
  const { attach, ...draft } = useWindowDraft({
    ...{ key: `playlist ${id} block ${place}`, window: props.window },
    ...{ name, zone, onWindow, goBack: null },
  });
  const box = useRef<HTMLDivElement>(null);
  const done = async (): Promise<void> => {
    if (box.current && (await draft.leave(hasHalfTyped(box.current))))
      onOpen(false);
  };
  if (props.isRemoving)
    return (
      <AlwaysQuestion
        name={name}
        onNo={() => {
          props.onRemoved("kept");
        }}
        onAlways={() => {
          props.onRemoved("always");
        }}
        onDisable={() => {
          props.onRemoved("off");
        }}
      />
    );
  return (
    <Stack
      ref={box}
      className="block-editor"
      gap={12}
      role="group"
      aria-label={t("schedule.editTimes", { name })}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement)
          done().catch(notifyInternalError);
        if (event.key !== "Escape") return;
        event.stopPropagation();
        draft.drop();
        onOpen(false);
      }}
    >
      <Title order={3} fz={15} lh="inherit">
        <bdi>{name}</bdi>
      </Title>
      {service && service.screenCountOf(id) > 1 ? (
        <p className="quiet">
          {t("schedule.service.appliesTo", {
            count: service.screenCountOf(id),
          })}
        </p>
      ) : null}
      <Group align="end" gap={8}>
        <TimePair
          draft={{ attach, ...draft }}
          noteId={note}
          isSavedWhenLeft={false}
        />
        {draft.wrong === null && isOverMidnight(draft.window) ? (
          <p className="quiet">{t("playlists.schedule.endsNextDay")}</p>
        ) : null}
      </Group>
      <DayChips
        days={draft.days}
        onDays={(days) => {
          draft.put({ days });
        }}
      />
      <p id={note} role={draft.wrong === null ? undefined : "alert"}>
        {draft.wrong === null ? null : (
          <span data-tone="waiting">{draft.wrong}</span>
        )}
      </p>
      <Group justify="space-between" gap={8}>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => {
            draft.drop();
            onRemove();
          }}
        >
          {t("schedule.removeTime")}
        </Button>
        <Anchor href={addressOf("playlists", id)}>
          {t("schedule.allTimes")}
        </Anchor>
        <Button
          onClick={() => {
            done().catch(notifyInternalError);
          }}
        >
          {t("manager.done")}
        </Button>
      </Group>
    </Stack>
  );
}
