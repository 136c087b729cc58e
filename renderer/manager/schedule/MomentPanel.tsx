// One moment of the schedule: what the screen would show, what comes in turn, when it changes, and why.

import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import {
  compileSchedule,
  type LineupEntry,
} from "../../../server/core/schedule/schedule.ts";
import { isOpenEnded } from "../library/asset-state.ts";
import { useAnswer } from "../operations.ts";
import type { Library } from "../playlists/library.ts";
import { Preview } from "../playlists/preview/Preview.tsx";
import { roundOf, previewItemsOf } from "../playlists/preview/preview-items.ts";
import { placeFromText, placeToText } from "../playlists/when/fields.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { texts } from "../texts/texts.ts";
import { formatIn } from "./formats.ts";
import "./moment.css";
import { momentOf, wallOf } from "./week.ts";
import { WhyTable } from "./WhyTable.tsx";

interface Props {
  readonly library: Library;
  readonly moment: number;
  readonly isNow: boolean;
  /** Null follows the clock. */
  readonly onMoment: (moment: number | null) => void;
}

/** The player is asked when the hand rests; until then the desk's own reckoning stands. */
const restMs = 250;
const minute = 60_000;
const none: readonly never[] = [];

export function MomentPanel(props: Props): ReactNode {
  const { library, isNow, onMoment } = props;
  // The hand on the scrubber goes first; what it looks at follows when there is time.
  const moment = useDeferredValue(props.moment);
  const { input, screen } = library;
  const { zone } = screen;
  const schedule = useMemo(() => compileSchedule(input), [input]);
  const lineup = useMemo(() => schedule.lineupAt(moment), [schedule, moment]);
  const candidates = useMemo(
    () => schedule.candidatesAt(moment),
    [schedule, moment],
  );
  // The same turns are the same preview, whatever the moment.
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
  // By the minute, so that a running clock does not ask without end.
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
  const current = useTakeover() ?? null;
  // What is asked by the minute knows nothing of one that began within it.
  const takeover = isNow ? current : (why.data?.takeover ?? null);
  const { dayAndTime } = formatIn(zone);
  const { day, timeMs } = wallOf(moment, zone);
  return (
    <section className="moment" aria-label={texts.schedule.why}>
      <div className="moment-picture">
        <div className="moment-head">
          <MomentField
            written={placeToText(day, timeMs)}
            onPlace={(place) => {
              onMoment(momentOf(place.day, place.timeMs, zone));
            }}
          />
          <Button
            variant={isNow ? "filled" : "default"}
            aria-pressed={isNow}
            onClick={() => {
              onMoment(null);
            }}
          >
            {texts.schedule.backToNow}
          </Button>
        </div>
        {takeover ? (
          <p data-tone="waiting">
            {texts.schedule.takeover(
              takeover.until === null
                ? null
                : dayAndTime(Date.parse(takeover.until)),
            )}
          </p>
        ) : null}
        <Preview
          previewItems={previewItems}
          nothing={texts.schedule.nothingDue}
          isPlain
        />
        {lineup.entries.length > 0 ? (
          <p className="quiet">
            {texts.schedule.inSequence(lineup.entries.length)}
          </p>
        ) : null}
        <p className="quiet">
          {lineup.changesAt === null || isOpenEnded(lineup.changesAt, moment)
            ? texts.schedule.staysSo
            : texts.schedule.changesAt(dayAndTime(lineup.changesAt))}
        </p>
      </div>
      <WhyTable
        candidates={candidates}
        reported={why.data?.candidates ?? none}
        {...{ zone, rules }}
        isCovered={takeover !== null}
      />
    </section>
  );
}

interface FieldProps {
  /** The moment that is looked at. */
  readonly written: string;
  readonly onPlace: (place: Place) => void;
}

type Place = NonNullable<ReturnType<typeof placeFromText>>;

/** A year is written digit by digit: until it has four, it is not the one that is meant. */
const fourDigitYear = /^[1-9]\d{3}-/;
const typingRestMs = 500;

/** What is written in it is looked at as soon as the hand rests; until the field is left, the clock does not write over it. */
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
      label={texts.schedule.moment}
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
