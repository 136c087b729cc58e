// Visual editor of a predicate: weekly times and dates; other parts are shown as text.

import {
  ActionIcon,
  Button,
  Checkbox,
  Flex,
  Group,
  Stack,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { IconMoonStars, IconPlus, IconX } from "@tabler/icons-react";
import { useId, useState, type ReactNode } from "react";
import { wallClockOf } from "../../../../server/core/wall-clock.ts";
import { ChangedElsewhere } from "../../components/drafts/ChangedElsewhere.tsx";
import { Panel } from "../../components/layout/Panel.tsx";
import { useDraft } from "../../components/drafts/use-draft.ts";
import { wayBackHere } from "../../place/navigation.ts";
import { can } from "../../place/abilities.ts";
import { t } from "../../../locales/messages.ts";
import { AlwaysQuestion } from "../../predicates/AlwaysConfirmation.tsx";
import { DayChips } from "../../predicates/DayChips.tsx";
import { dayFromText, dayToText } from "../../predicates/input-formats.ts";
import { TimePair } from "../../predicates/TimePair.tsx";
import {
  hasHalfTyped,
  useWindowDraft,
} from "../../predicates/use-window-draft.ts";
import {
  isAllDay,
  isOverMidnight,
  predicateOf,
  weekFromMonday,
  type DateRange,
  type WeeklyWindow,
  type When,
} from "../../predicates/weekly-windows.ts";
import { partsOfWindow } from "../../predicates/window-text.ts";
import { inWords } from "../../predicates/predicate-text.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  /** Null while the text cannot be parsed. */
  readonly when: When | null;
  readonly zone: string;
  /** Id of the playlist. */
  readonly id: string;
  readonly name: string;
  /** Returns whether it was accepted. */
  readonly onWhen: (when: When) => Promise<boolean>;
  readonly onDisable: () => void;
}

const hour = 3_600_000;
/** Initial value: lunchtime. */
const firstWindow: WeeklyWindow = {
  days: weekFromMonday,
  fromMs: 11.5 * hour,
  untilMs: 14 * hour,
};
/** As the input fields show it. */
const fullDay = { from: "00:00", until: "00:00" };

export function Clicked(props: Props): ReactNode {
  const { when, zone, id, name, onWhen, onDisable } = props;
  const [removals, setRemovals] = useState(0);
  const [isConfirming, setIsConfirming] = useState(false);
  const put = async (change: Partial<When>): Promise<boolean> =>
    when !== null && (await onWhen({ ...when, ...change }));
  const keyStart = `playlist ${id} when ${removals}`;
  const windows = when?.windows ?? [];
  const removeWindow = (index: number): void => {
    setRemovals(removals + 1);
    put({ windows: windows.toSpliced(index, 1) }).catch(notifyInternalError);
  };
  const dates = when?.dates ?? [];
  return (
    <Flex
      component="fieldset"
      direction="column"
      gap={16}
      miw={0}
      opacity={when === null ? 0.55 : 1}
      disabled={when === null}
    >
      <legend>
        <VisuallyHidden>{t("playlists.schedule.times")}</VisuallyHidden>
      </legend>
      <Panel
        title={t("playlists.schedule.times")}
        about={
          can("player")
            ? t("playlists.schedule.timesHelp", { zone })
            : t("playlists.service.timesHelp")
        }
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              put({ windows: [...windows, nextWindow(windows)] }).catch(
                notifyInternalError,
              );
            }}
          >
            {t("playlists.schedule.addTime")}
          </Button>
        }
      >
        {windows.length === 0 ? (
          <p className="panel-note quiet">
            {when === null
              ? t("playlists.schedule.unreadable")
              : t("playlists.schedule.always")}
          </p>
        ) : (
          <ul className="panel-rows" role="list">
            {windows.map((window, index) => (
              <li key={`${removals} ${index}`}>
                <WindowFields
                  {...{ name, keyStart, zone, window }}
                  place={index + 1}
                  onWindow={(next) =>
                    put({ windows: windows.with(index, next) })
                  }
                  onRemove={() => {
                    // Without a time it would play around the clock.
                    if (windows.length === 1) setIsConfirming(true);
                    else removeWindow(index);
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        {isConfirming && windows.length === 1 ? (
          <AlwaysQuestion
            name={name}
            onNo={() => {
              setIsConfirming(false);
            }}
            onAlways={() => {
              setIsConfirming(false);
              removeWindow(0);
            }}
            onDisable={() => {
              setIsConfirming(false);
              onDisable();
            }}
          />
        ) : null}
      </Panel>
      <Panel
        title={t("playlists.schedule.dates")}
        about={t("playlists.schedule.datesHelp")}
        actions={
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              const { day: today } = wallClockOf(zone).wallTimeAt(Date.now());
              put({ dates: [...dates, { first: today, last: null }] }).catch(
                notifyInternalError,
              );
            }}
          >
            {t("playlists.schedule.addDates")}
          </Button>
        }
      >
        {dates.length === 0 ? (
          <p className="panel-note quiet">
            {when === null
              ? t("playlists.schedule.unreadable")
              : t("playlists.schedule.anyDate")}
          </p>
        ) : (
          <ul className="panel-rows" role="list">
            {dates.map((range, index) => (
              <li key={`${removals} ${index}`}>
                <DateFields
                  {...{ name, zone, range }}
                  draftKey={`${keyStart} dates ${index}`}
                  onRange={(next) => put({ dates: dates.with(index, next) })}
                  onRemove={() => {
                    setRemovals(removals + 1);
                    put({ dates: dates.toSpliced(index, 1) }).catch(
                      notifyInternalError,
                    );
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {when?.written == null ? null : (
        <Panel
          title={t("playlists.schedule.custom")}
          about={t("playlists.schedule.customHelp")}
          actions={
            <ActionIcon
              aria-label={t("playlists.schedule.removeCustom")}
              onClick={() => {
                put({ written: null }).catch(notifyInternalError);
              }}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          }
        >
          <p className="panel-note">
            <code dir="ltr">{when.written}</code>
          </p>
        </Panel>
      )}
    </Flex>
  );
}

/** After the last one, on the same days. */
function nextWindow(windows: readonly WeeklyWindow[]): WeeklyWindow {
  const last = windows.at(-1);
  if (!last) return firstWindow;
  const fromMs = Math.min(
    22 * hour,
    isOverMidnight(last) ? 8 * hour : last.untilMs + hour,
  );
  return { days: last.days, fromMs, untilMs: fromMs + 2 * hour };
}

interface WindowProps {
  readonly name: string;
  readonly keyStart: string;
  readonly zone: string;
  readonly window: WeeklyWindow;
  readonly place: number;
  readonly onWindow: (window: WeeklyWindow) => Promise<boolean>;
  readonly onRemove: () => void;
}

function WindowFields(props: WindowProps): ReactNode {
  const { name, zone, place, onWindow, onRemove } = props;
  const { attach, ...draft } = useWindowDraft({
    ...{ key: `${props.keyStart} time ${place}`, window: props.window },
    ...{ name, zone, onWindow, goBack: wayBackHere() },
  });
  const { window, days } = draft;
  const note = useId();
  return (
    <Stack
      className="window"
      gap={8}
      flex={1}
      miw={0}
      role="group"
      aria-label={t("playlists.schedule.time", { place })}
    >
      <DayChips
        days={days}
        onDays={(next) => {
          draft.put({ days: next });
          draft.leave().catch(notifyInternalError);
        }}
      />
      <Group gap="8px 16px" flex={1}>
        <Checkbox
          label={t("playlists.schedule.allDay")}
          checked={isAllDay(window)}
          onChange={(event) => {
            const isAllDayChosen = event.currentTarget.checked;
            draft.put(
              isAllDayChosen
                ? fullDay
                : partsOfWindow({ ...firstWindow, days }),
            );
            draft.leave().catch(notifyInternalError);
          }}
        />
        {isAllDay(window) ? null : (
          <TimePair
            draft={{ attach, ...draft }}
            noteId={note}
            isSavedWhenLeft
          />
        )}
        <p
          id={note}
          className="icon-line"
          role={draft.wrong === null ? undefined : "alert"}
        >
          {draft.wrong !== null ? (
            <span data-tone="waiting">{draft.wrong}</span>
          ) : isOverMidnight(window) ? (
            <span className="icon-line quiet">
              <IconMoonStars size={16} aria-hidden />{" "}
              {t("playlists.schedule.endsNextDay")}
            </span>
          ) : null}
        </p>
        <ActionIcon
          ms="auto"
          aria-label={t("playlists.schedule.removeTime", { place })}
          onClick={() => {
            draft.drop();
            onRemove();
          }}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Stack>
  );
}

interface DateProps {
  readonly name: string;
  readonly draftKey: string;
  readonly zone: string;
  readonly range: DateRange;
  readonly onRange: (range: DateRange) => Promise<boolean>;
  readonly onRemove: () => void;
}

function DateFields(props: DateProps): ReactNode {
  const { name, draftKey, zone, range, onRange, onRemove } = props;
  const stored = textOfRange(range);
  const { attach, ...draft } = useDraft({
    ...{ key: draftKey, stored },
    place: {
      field: t("playlists.schedule.dates"),
      of: name,
      goBack: wayBackHere(),
    },
    read: (text) => {
      const { first, last } = rangeOfText(text);
      return first !== null && last !== null && last < first
        ? { wrong: t("playlists.schedule.invalidDates") }
        : { stored: textOfRange({ first, last }) };
    },
    save: async (text) => {
      const isSaved = await onRange(rangeOfText(text));
      return isSaved ? { isSaved } : { isSaved, reason: null };
    },
  });
  const [first = "", last = ""] = (draft.typed ?? stored).split(" ");
  const field = (label: string, value: string, isFirst: boolean) => (
    <TextInput
      ref={isFirst ? attach : undefined}
      type="date"
      label={label}
      className="beside-label"
      value={value}
      onChange={({ currentTarget: { value: text, validity } }) => {
        const next = isFirst ? [text, last] : [first, text];
        draft.type(next.join(" "), validity.badInput);
      }}
    />
  );
  return (
    <Group
      gap="8px 16px"
      flex={1}
      role="group"
      aria-label={t("playlists.schedule.dates")}
      onBlur={(event) => {
        // Half a date reads as empty, which would mean no limit.
        if (event.target instanceof HTMLInputElement)
          draft
            .leave(hasHalfTyped(event.currentTarget))
            .catch(notifyInternalError);
      }}
      onKeyDown={(event) => {
        const { currentTarget, target } = event;
        if (!(target instanceof HTMLInputElement)) return;
        if (event.key === "Enter")
          draft.leave(hasHalfTyped(currentTarget)).catch(notifyInternalError);
        if (event.key !== "Escape") return;
        // A half-typed entry is not a value, so setting the stored one would not replace it.
        if (target.validity.badInput)
          target.value =
            stored.split(" ")[
              target === currentTarget.querySelector("input") ? 0 : 1
            ] ?? "";
        draft.drop();
      }}
    >
      {field(t("playlists.schedule.firstDay"), first, true)}
      {field(t("playlists.schedule.lastDay"), last, false)}
      <p className="icon-line">
        {draft.wrong === null ? null : (
          <span data-tone="waiting" role="alert">
            {draft.wrong}
          </span>
        )}
      </p>
      <ActionIcon
        ms="auto"
        aria-label={t("playlists.schedule.removeDates")}
        onClick={() => {
          draft.drop();
          onRemove();
        }}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
      {draft.isChanged ? (
        <ChangedElsewhere
          label={t("playlists.schedule.dates")}
          theirs={inWords(
            predicateOf({ windows: [], dates: [range], written: null }),
            zone,
          )}
          onKeep={draft.keepMine}
          onTheirs={draft.useTheirs}
        />
      ) : null}
    </Group>
  );
}

function textOfRange({ first, last }: DateRange): string {
  return [first, last]
    .map((day) => (day === null ? "" : dayToText(day)))
    .join(" ");
}

function rangeOfText(text: string): DateRange {
  const [first = "", last = ""] = text.split(" ");
  return { first: dayFromText(first), last: dayFromText(last) };
}
