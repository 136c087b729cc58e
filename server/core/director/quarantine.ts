// Quarantine with evidence: failed assets are retried after growing pauses; an asset that merely was on screen during a failure is
// not blamed.

/** What can fail, identified by its content: different content gets another chance. */
export interface Subject {
  readonly id: string;
  readonly content: string;
}

export interface QuarantineState {
  /** Failures since it last played. */
  readonly failures: number;
  /** Three failures are no longer a passing problem. */
  readonly isQuarantined: boolean;
  /** When it may be retried, in steady milliseconds. */
  readonly until: number;
}

interface Entry extends Subject, QuarantineState {
  /** When it was last blamed, in steady milliseconds; null: never. */
  readonly blamedAt: number | null;
  /** Losses of the stage while it was shown, since it last played. */
  readonly losses: number;
  /** Those losses before which the stage had held with something else, while it was not lost with anything else. */
  readonly strikes: number;
}

export interface Ledger {
  readonly held: ReadonlyMap<string, Entry>;
  /** The last two that left the screen in good order since the stage was last lost. */
  readonly stood: readonly (string | null)[];
  /** The last one that was late (or blank), as long as nothing has been ready (or seen) since. */
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

/** Number of failures from which it counts as quarantined. */
const maxFailures = 3;
/** Losses of the stage with it alone, after others had held: the second is evidence (V2-410). */
const maxStrikes = 2;
/** Rest of a suspect that may not be the cause: without it, the others either play well or do not. */
export const trialMs = 10_000;
/** Doublings of that rest while the stage is lost with it again and again: up to five minutes. */
const maxDoublings = 5;
/** Blame from this shortly before the stage was found lost or unresponsive is withdrawn (V2-411). */
export const pardonMs = 20_000;
/** Deleted assets are not looked up: beyond this number the oldest entry is dropped. */
const maxHeld = 10_000;
const minuteMs = 60_000;
/** Two short pauses, since most problems pass; then it is retried rarely, but never given up. */
const pausesMs = [1, 1, 5, 30, 120].map((minutes) => minutes * minuteMs);

/** It could not be shown and waits for its next try. */
export function failed(ledger: Ledger, subject: Subject, now: number): Blamed {
  return quarantine(ledger, subject, now, { isOver: true });
}

/** Whether another one was late before it, and nothing has been ready since. */
export function isBehind(ledger: Ledger, id: string | null): boolean {
  return ledger.late !== null && ledger.late !== id;
}

/**
 * It was not ready in time; from the third time on it has to wait, too. It is not blamed behind another one that was late (V2-412).
 */
export function late(ledger: Ledger, subject: Subject, now: number): Blamed {
  if (isBehind(ledger, subject.id)) return { ledger, quarantineState: null };
  return quarantine({ ...ledger, late: subject.id }, subject, now, {
    isOver: false,
  });
}

/**
 * Nothing of it was seen on the screen. If that follows another blank one, with nothing seen in between, the screen is to blame.
 */
export function blank(ledger: Ledger, subject: Subject, now: number): Blamed {
  if (ledger.blank !== null && ledger.blank !== subject.id)
    return { ledger: setAside(ledger, subject, now), quarantineState: null };
  return failed({ ...ledger, blank: subject.id }, subject, now);
}

/** Evidence from elsewhere proves that it is the cause: that is never withdrawn (V2-735). */
export function proven(ledger: Ledger, subject: Subject, now: number): Blamed {
  const blamed = quarantine(ledger, subject, now, {
    ...{ isOver: true, isProven: true },
  });
  const entry = find(blamed.ledger, subject);
  return entry
    ? { ...blamed, ledger: put(blamed.ledger, { ...entry, blamedAt: null }) }
    : blamed;
}

/** The stage was lost while it was shown; null for what is never blamed: the idle screen and takeovers (V2-410). */
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
    // The stage is lost with anything: what was on it in earlier losses is not the cause.
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
    return quarantine(noted, subject, now, { isOver: true, isProven: true });
  // A single loss proves nothing: it is put back. After that it rests, and the others show whether the stage holds without it.
  const doublings = Math.min(entry.losses - 2, maxDoublings);
  const ledgerThen =
    doublings < 0
      ? noted
      : setAside(noted, subject, now, trialMs * 2 ** doublings);
  return { ledger: ledgerThen, quarantineState: null };
}

/** Lets it rest so that something else plays, without blaming it. */
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

/** It left the screen in good order; null if it is not an asset. */
export function stood(ledger: Ledger, id: string | null): Ledger {
  if (ledger.stood.includes(id)) return ledger;
  return { ...ledger, stood: [...ledger.stood, id].slice(-2) };
}

/** Something was ready in time. */
export function becameReady(ledger: Ledger): Ledger {
  return ledger.late === null ? ledger : { ...ledger, late: null };
}

/** Something was verified on the screen. */
export function wasSeen(ledger: Ledger): Ledger {
  return ledger.blank === null ? ledger : { ...ledger, blank: null };
}

/** It played for its whole duration: its failures are forgotten. */
export function played(ledger: Ledger, id: string): Ledger {
  if (!ledger.held.has(id)) return ledger;
  const held = new Map(ledger.held);
  held.delete(id);
  return { ...ledger, held };
}

/** Withdraws blame since that moment: one failure less, and it may be retried at once. */
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

/** Steady time of the next try by id, for all that wait. What has changed or is gone does not wait. */
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

function quarantine(
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
