// Content that failed: left in peace for a while, longer each time, until it changes or plays after all.

/** What can fail, and what it looks like: another look is another chance. */
export interface Subject {
  readonly id: string;
  readonly content: string;
}

export interface Standing {
  /** How often it has failed since it last played. */
  readonly failures: number;
  /** Three times is no passing trouble any more. */
  readonly isQuarantined: boolean;
  /** When it may be tried again, in steady milliseconds. */
  readonly until: number;
}

export interface Quarantine {
  /** It failed: it waits for its next try. */
  add(subject: Subject, now: number): Standing;
  /** It may have been the reason for a loss: the third time it waits as well. */
  suspect(subject: Subject, now: number): Standing;
  has(subject: Subject, now: number): boolean;
  /** It has played: nothing is held against it any more. */
  clear(id: string): void;
  /** Steady moment of the next try, by id, of all that wait; what is gone by then is forgotten. */
  waiting(
    subjectOf: (id: string) => Subject | null,
    now: number,
  ): ReadonlyMap<string, number>;
}

/** Failures from which on it counts as quarantined. */
const mostFailures = 3;
const minuteMs = 60_000;
/** Two short ones, since most trouble passes; then it is seldom looked at, and yet never given up. */
const pausesMs = [1, 1, 5, 30, 120].map((minutes) => minutes * minuteMs);

export function createQuarantine(): Quarantine {
  const held = new Map<string, Subject & Standing>();

  function worse(subject: Subject, now: number, isOver: boolean): Standing {
    const failures = (find(subject)?.failures ?? 0) + 1;
    const isQuarantined = failures >= mostFailures;
    const pause = pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0;
    const until = isOver || isQuarantined ? now + pause : now;
    const standing = { failures, isQuarantined, until };
    held.set(subject.id, { ...subject, ...standing });
    return standing;
  }

  function find(subject: Subject): (Subject & Standing) | undefined {
    const entry = held.get(subject.id);
    return entry?.content === subject.content ? entry : undefined;
  }

  const has = (subject: Subject, now: number): boolean =>
    (find(subject)?.until ?? -Infinity) > now;

  return {
    add: (subject, now) => worse(subject, now, true),
    suspect: (subject, now) => worse(subject, now, false),
    has,
    clear: (id) => held.delete(id),
    waiting: (subjectOf, now) => {
      const waits = new Map<string, number>();
      for (const [id, { until }] of held) {
        const subject = subjectOf(id);
        if (!subject || !find(subject)) held.delete(id);
        else if (until > now) waits.set(id, until);
      }
      return waits;
    },
  };
}
