// One moment of the schedule: what the screen would show, the lineup, its next change, and the reasons.

import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import {
  compileSchedule,
  type Candidate,
  type LineupEntry,
} from "../../../server/core/schedule/schedule.ts";
import { isOpenEnded } from "../components/no-end-date.ts";
import { useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import type { Library } from "../lineup/schedule-inputs.ts";
import { Preview } from "../preview/Preview.tsx";
import { roundOf, previewItemsOf } from "../preview/preview-items.ts";
import { placeFromText, placeToText } from "../predicates/input-formats.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { t } from "../../locales/messages.ts";
import { formatIn } from "../components/screen-time/screen-time-formats.ts";
import { DueNames } from "../lineup/DueNames.tsx";
import { useServiceWeek, type ServiceWeek } from "./service-week.ts";
import "./moment.css";
import { momentOf, wallOf } from "../components/screen-time/week.ts";
import { WhyTable } from "../lineup/WhyTable.tsx";

interface Props {
  readonly library: Library;
  readonly moment: number;
  readonly isNow: boolean;
  /** Null follows the clock. */
  readonly onMoment: (moment: number | null) => void;
}

/** The player is queried once the scrubber rests; until then the manager's own calculation is shown. */
const restMs = 250;
const minute = 60_000;
const none: readonly never[] = [];

export function MomentPanel(props: Props): ReactNode {
  const { library, isNow, onMoment } = props;
  // The scrubber moves first; the preview follows with low priority.
  const moment = useDeferredValue(props.moment);
  const { input, screen } = library;
  const { zone } = screen;
  const schedule = useMemo(() => compileSchedule(input), [input]);
  const lineup = useMemo(() => schedule.lineupAt(moment), [schedule, moment]);
  const service = useServiceWeek();
  const candidates = useMemo(() => {
    const found = schedule.candidatesAt(moment);
    return service ? found.map((one) => named(one, service)) : found;
  }, [schedule, moment, service]);
  // The same entries are the same preview, whatever the moment.
  const [shownEntries, setShownEntries] = useState(lineup.entries);
  if (!isSame(shownEntries, lineup.entries)) setShownEntries(lineup.entries);
  const previewItems = useMemo(
    () =>
      previewItemsOf(
        roundOf(shownEntries, input.playlists, screen),
        screen.presentationDefaults,
      ),
    [shownEntries, input.playlists, screen],
  );
  // Rounded to the minute, so that a running clock does not send queries continuously.
  const [debounced] = useDebouncedValue(
    Math.floor(moment / minute) * minute,
    restMs,
  );
  const why = useAnswer("readWhy", {
    parameters: { at: new Date(debounced).toISOString() },
  });
  const rules = useMemo(
    () => new Map(input.playlists.map(({ id, predicate }) => [id, predicate])),
    [input.playlists],
  );
  const titles = useMemo(
    () => new Map(input.playlists.map(({ id, name }) => [id, name])),
    [input.playlists],
  );
  const current = useTakeover() ?? null;
  // A query by the minute does not include a takeover that started within that minute.
  const takeover = isNow ? current : (why.data?.takeover ?? null);
  const { dayAndTime } = formatIn(zone);
  const { day, timeMs } = wallOf(moment, zone);
  return (
    <section className="moment" aria-label={t("schedule.why")}>
      <Stack className="moment-preview scrolls" gap={8} py={8} px={16}>
        <Group className="moment-head" wrap="nowrap" align="end" gap={8}>
          <MomentField
            written={placeToText(day, timeMs)}
            onPlace={(place) => {
              onMoment(momentOf(place.day, place.timeMs, zone));
            }}
          />
          <Button
            flex="none"
            px={12}
            variant={isNow ? "filled" : "default"}
            aria-pressed={isNow}
            onClick={() => {
              onMoment(null);
            }}
          >
            {t("schedule.now")}
          </Button>
        </Group>
        {takeover ? (
          <p data-tone="waiting">
            {takeover.until === null
              ? t("schedule.takeoverUntilEnded")
              : t("schedule.takeoverUntil", {
                  time: dayAndTime(Date.parse(takeover.until)),
                })}
          </p>
        ) : null}
        {can("preview") ? (
          <Preview
            previewItems={previewItems}
            nothing={t("schedule.nothingDue")}
            isPlain
          />
        ) : lineup.entries.length === 0 ? (
          <p>{t("schedule.nothingDue")}</p>
        ) : (
          <DueNames
            due={lineup.entries.map(({ id, asset, playlistId }) => ({
              ...{ id, name: asset.name },
              playlist: titles.get(playlistId ?? "") ?? null,
            }))}
          />
        )}
        {lineup.entries.length > 0 ? (
          <p className="quiet">
            {t("schedule.inSequence", { count: lineup.entries.length })}
          </p>
        ) : null}
        <p className="quiet">
          {lineup.changesAt === null || isOpenEnded(lineup.changesAt, moment)
            ? t("schedule.noChanges")
            : t("schedule.nextChange", { time: dayAndTime(lineup.changesAt) })}
        </p>
      </Stack>
      <WhyTable
        candidates={candidates}
        reported={why.data?.candidates ?? none}
        {...{ zone, rules }}
        isCovered={takeover !== null}
      />
    </section>
  );
}

/** A service assigns playlists by the identifiers of labels and screens. */
function named(candidate: Candidate, service: ServiceWeek): Candidate {
  const { reason } = candidate;
  if (reason.code !== "other-groups") return candidate;
  const groups = reason.groups.flatMap((id) => service.groupNameOf(id) ?? []);
  return { ...candidate, reason: { ...reason, groups } };
}

interface FieldProps {
  /** The preview time. */
  readonly written: string;
  readonly onPlace: (place: Place) => void;
}

type Place = NonNullable<ReturnType<typeof placeFromText>>;

/** A year is typed digit by digit: until it has four, it is not the intended one. */
const fourDigitYear = /^[1-9]\d{3}-/;
const typingRestMs = 500;

/** A typed moment is previewed once typing pauses; until the field loses the focus, the clock does not overwrite it. */
function MomentField({ written, onPlace }: FieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const go = (text: string): void => {
    const place = fourDigitYear.test(text) ? placeFromText(text) : null;
    if (place && text !== written) onPlace(place);
  };
  const goAtRest = useDebouncedCallback(go, typingRestMs);
  return (
    <TextInput
      type="datetime-local"
      label={t("schedule.moment")}
      value={typed ?? written}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setTyped(value);
        goAtRest(value);
      }}
      onBlur={() => {
        goAtRest.cancel();
        if (typed !== null) go(typed);
        setTyped(null);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

function isSame(
  one: readonly LineupEntry[],
  other: readonly LineupEntry[],
): boolean {
  return (
    one.length === other.length &&
    one.every((entry, place) => {
      const { id, asset, durationSeconds, transition } = entry;
      const there = other[place];
      return (
        there?.id === id &&
        there.asset === asset &&
        there.durationSeconds === durationSeconds &&
        there.transition === transition
      );
    })
  );
}
