// Quarantine with evidence: what failed is retried after growing pauses; what was merely there when something failed is not blamed.

/** What can fail, and what it looks like: another look is another chance. */
export interface Subject {
  readonly id: string;
  readonly content: string;
}

export interface QuarantineState {
  /** How often it has failed since it last played. */
  readonly failures: number;
  /** Three times is no passing trouble any more. */
  readonly isQuarantined: boolean;
  /** When it may be tried again, in steady milliseconds. */
  readonly until: number;
}

interface Entry extends Subject, QuarantineState {
  /** When it was last blamed, in steady milliseconds; null: never yet. */
  readonly blamedAt: number | null;
  /** Losses of the stage with it since it last played. */
  readonly losses: number;
  /** Those before which something else had held the stage, while it was lost with nothing else. */
  readonly strikes: number;
}

export interface Ledger {
  readonly held: ReadonlyMap<string, Entry>;
  /** What has left the screen in good order since the stage was lost last, the last two. */
  readonly stood: readonly (string | null)[];
  /** What was late, or blank, last, while nothing has been ready, or seen, since. */
  readonly late: string | null;
  readonly blank: string | null;
}

export const emptyLedger: Ledger = {
  held: new Map(),
  ...{ stood: [], late: null, blank: null },
};

export interface Blamed {
  readonly ledger: Ledger;
  /** Null: there is no evidence against it. */
  readonly quarantineState: QuarantineState | null;
}

/** Failures from which on it counts as quarantined. */
const maxFailures = 3;
/** Losses of the stage with it alone, after others held: the second is evidence (V2-410). */
const maxStrikes = 2;
/** What may or may not be the reason rests so long: either the rest goes well without it, or not. */
export const trialMs = 10_000;
/** Of that rest, while the stage is lost with it again and again: up to five minutes. */
const maxDoublings = 5;
/** What was held against anything so shortly before the stage was found lost or silent was not its doing (V2-411). */
export const pardonMs = 20_000;
/** What was deleted is not looked for: the oldest leaves when there are so many. */
const maxHeld = 10_000;
const minuteMs = 60_000;
/** Two short ones, since most trouble passes; then it is seldom tried, and yet never given up. */
const pausesMs = [1, 1, 5, 30, 120].map((minutes) => minutes * minuteMs);

/** It cannot be shown: it waits for its next try. */
export function failed(ledger: Ledger, subject: Subject, now: number): Blamed {
  return blame(ledger, subject, now, { isOver: true });
}

/** Whether another was late before it, and nothing has been ready since. */
export function isBehind(ledger: Ledger, id: string | null): boolean {
  return ledger.late !== null && ledger.late !== id;
}

/** It was not ready in time: the third time it waits as well. Behind another that was late it is not blamed (V2-412). */
export function late(ledger: Ledger, subject: Subject, now: number): Blamed {
  if (isBehind(ledger, subject.id)) return { ledger, quarantineState: null };
  return blame({ ...ledger, late: subject.id }, subject, now, {
    isOver: false,
  });
}

/** Nothing was seen of it. After another of which nothing was seen, with nothing seen since, the screen is at fault. */
export function blank(ledger: Ledger, subject: Subject, now: number): Blamed {
  if (ledger.blank !== null && ledger.blank !== subject.id)
    return { ledger: setAside(ledger, subject, now), quarantineState: null };
  return failed({ ...ledger, blank: subject.id }, subject, now);
}

/** The stage was lost with it; null for what is never blamed: the idle screen and takeovers (V2-410). */
export function lost(
  ledger: Ledger,
  subject: Subject | null,
  now: number,
): Blamed {
  const id = subject?.id ?? null;
  const othersStood = ledger.stood.some((stood) => stood !== id);
  const next: Ledger = {
    ...ledger,
    stood: [],
    // It goes with anything: none of those that were up before has to do with it.
    held: mapped(ledger.held, (entry) =>
      entry.id === id ? entry : { ...entry, strikes: 0 },
    ),
  };
  if (!subject) return { ledger: next, quarantineState: null };
  const before = find(next, subject) ?? unblamed(subject, now);
  const entry: Entry = {
    ...before,
    losses: before.losses + 1,
    strikes: before.strikes + (othersStood ? 1 : 0),
  };
  const noted = put(next, entry);
  if (othersStood && entry.strikes >= maxStrikes)
    return blame(noted, subject, now, { isOver: true, isProven: true });
  // Once may be anything: it is put back. From then on the others show whether the stage holds without it.
  const doublings = Math.min(entry.losses - 2, maxDoublings);
  const ledgerThen =
    doublings < 0
      ? noted
      : setAside(noted, subject, now, trialMs * 2 ** doublings);
  return { ledger: ledgerThen, quarantineState: null };
}

/** It rests, so that something else has its turn; nothing is held against it. */
export function setAside(
  ledger: Ledger,
  subject: Subject,
  now: number,
  restMs = trialMs,
): Ledger {
  const entry = find(ledger, subject) ?? unblamed(subject, now);
  const until = Math.max(entry.until, now + restMs);
  return put(ledger, { ...entry, until });
}

/** It has left the screen in good order; null for what is no asset. */
export function stood(ledger: Ledger, id: string | null): Ledger {
  if (ledger.stood.includes(id)) return ledger;
  return { ...ledger, stood: [...ledger.stood, id].slice(-2) };
}

/** Something is ready in time. */
export function becameReady(ledger: Ledger): Ledger {
  return ledger.late === null ? ledger : { ...ledger, late: null };
}

/** Something is seen as it should be. */
export function wasSeen(ledger: Ledger): Ledger {
  return ledger.blank === null ? ledger : { ...ledger, blank: null };
}

/** It has played for its whole time: nothing is held against it any more. */
export function played(ledger: Ledger, id: string): Ledger {
  if (!ledger.held.has(id)) return ledger;
  const held = new Map(ledger.held);
  held.delete(id);
  return { ...ledger, held };
}

/** What was blamed since then was not at fault: one failure less, and it may be tried at once. */
export function pardoned(ledger: Ledger, since: number): Ledger {
  return {
    ...ledger,
    ...{ late: null, blank: null },
    held: mapped(ledger.held, (entry) =>
      entry.blamedAt === null || entry.blamedAt < since
        ? entry
        : {
            ...entry,
            ...quarantineStateOf(entry.failures - 1, -Infinity),
            blamedAt: null,
          },
    ),
  };
}

export function isWaiting(
  ledger: Ledger,
  subject: Subject,
  now: number,
): boolean {
  return (find(ledger, subject)?.until ?? -Infinity) > now;
}

/** Steady moment of the next try, by id, of all that wait. What has changed or is gone does not wait. */
export function waiting(
  ledger: Ledger,
  subjectOf: (id: string) => Subject | null,
  now: number,
): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  for (const [id, { until }] of ledger.held) {
    const subject = until > now ? subjectOf(id) : null;
    if (subject && find(ledger, subject)) waits.set(id, until);
  }
  return waits;
}

function blame(
  ledger: Ledger,
  subject: Subject,
  now: number,
  how: { readonly isOver: boolean; readonly isProven?: boolean },
): Blamed {
  const before = find(ledger, subject) ?? unblamed(subject, now);
  const least = how.isProven ? maxFailures : 0;
  const failures = Math.max(before.failures + 1, least);
  const pause = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
  const mustWait = how.isOver || failures >= maxFailures;
  const quarantineState = quarantineStateOf(
    failures,
    mustWait ? now + pause : now,
  );
  const entry = { ...before, ...quarantineState, blamedAt: now };
  return { ledger: put(ledger, entry), quarantineState };
}

function quarantineStateOf(failures: number, until: number): QuarantineState {
  return { failures, isQuarantined: failures >= maxFailures, until };
}

function unblamed(subject: Subject, now: number): Entry {
  return {
    ...subject,
    ...quarantineStateOf(0, now),
    ...{ blamedAt: null, losses: 0, strikes: 0 },
  };
}

function find(ledger: Ledger, subject: Subject): Entry | undefined {
  const entry = ledger.held.get(subject.id);
  return entry?.content === subject.content ? entry : undefined;
}

function put(ledger: Ledger, entry: Entry): Ledger {
  const held = new Map(ledger.held).set(entry.id, entry);
  const [oldest] = held.keys();
  if (held.size > maxHeld && oldest !== undefined) held.delete(oldest);
  return { ...ledger, held };
}

function mapped(
  held: ReadonlyMap<string, Entry>,
  change: (entry: Entry) => Entry,
): ReadonlyMap<string, Entry> {
  return new Map([...held].map(([id, entry]) => [id, change(entry)]));
}
