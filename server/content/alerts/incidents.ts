// Incidents of one alert rule as a pure reducer: which screens failed for long enough, and what is to be sent about them (V3-93 to
// V3-95).

import type { AlertState } from "../../contract/v3/v3-alerts.ts";

/**
 * Whether a message about the beginning, or the end, is to be sent: `held` waits for the end of the quiet hours, `dropped` is
 * never sent.
 */
export type Notice = "none" | "waiting" | "held" | "sent" | "dropped";
export type EndCause = "recovered" | "excluded";

export interface Incident {
  readonly id: string;
  readonly screenId: string;
  readonly screenName: string;
  readonly state: AlertState;
  readonly reason: string;
  readonly since: number;
  /** Null while the screen has not failed for long enough. */
  readonly openedAt: number | null;
  readonly endedAt: number | null;
  readonly endCause: EndCause | null;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly opening: Notice;
  readonly ending: Notice;
}

/** What was sent lately, in milliseconds since 1970. */
export interface Pace {
  readonly singlesAt: readonly number[];
  readonly digestAt: number | null;
}

export interface AlertsState {
  /** By id: those that have not ended, and those whose end has not been announced yet. */
  readonly incidents: ReadonlyMap<string, Incident>;
  readonly pace: Pace;
}

export const noAlerts: AlertsState = {
  incidents: new Map(),
  pace: { singlesAt: [], digestAt: null },
};

/** A screen that is in one of the states of the rule. */
export interface FailingScreen {
  readonly screenId: string;
  readonly screenName: string;
  readonly state: AlertState;
  readonly reason: string;
  readonly since: number;
  /** For a new incident of this screen. */
  readonly newId: string;
}

export type AlertEvent =
  | {
      readonly kind: "observed";
      readonly at: number;
      readonly isQuiet: boolean;
      readonly afterMs: number;
      readonly failing: readonly FailingScreen[];
      /** Screens that the rule no longer concerns. */
      readonly excluded: ReadonlySet<string>;
    }
  | {
      readonly kind: "acknowledged";
      readonly at: number;
      readonly id: string;
      readonly by: string;
    }
  | { readonly kind: "disabled"; readonly at: number };

/** One message: about a single incident, or a digest. */
export interface Message {
  readonly isDigest: boolean;
  readonly opened: readonly string[];
  readonly ended: readonly string[];
}

export interface Step {
  readonly state: AlertsState;
  readonly messages: readonly Message[];
}

/** More messages than this within a minute become a digest; at most one digest is sent a minute. */
export const maxSingles = 5;
export const paceMs = 60_000;

export function nextAlerts(state: AlertsState, event: AlertEvent): Step {
  switch (event.kind) {
    case "observed":
      return observed(state, event);
    case "acknowledged":
      return unannounced(state, acknowledged(state.incidents, event));
    case "disabled":
      return unannounced(state, disabled(state.incidents, event.at));
  }
}

function unannounced(
  { pace }: AlertsState,
  incidents: ReadonlyMap<string, Incident>,
): Step {
  return { state: { incidents, pace }, messages: [] };
}

type Observation = Extract<AlertEvent, { readonly kind: "observed" }>;

function observed(state: AlertsState, event: Observation): Step {
  const failing = new Map(event.failing.map((one) => [one.screenId, one]));
  const incidents = new Map<string, Incident>();
  for (const incident of state.incidents.values()) {
    if (incident.endedAt !== null) {
      if (isWaiting(incident.ending)) incidents.set(incident.id, incident);
      continue;
    }
    const screen = failing.get(incident.screenId);
    failing.delete(incident.screenId);
    const next = screen
      ? goingOn(incident, screen, event)
      : ended(incident, event);
    if (next) incidents.set(next.id, next);
  }
  for (const screen of failing.values())
    incidents.set(screen.newId, goingOn(newIncident(screen), screen, event));
  return announced(incidents, state.pace, event);
}

function newIncident(screen: FailingScreen): Incident {
  const { newId: id, screenId, screenName, state, reason, since } = screen;
  return {
    ...{ id, screenId, screenName, state, reason, since },
    ...{ openedAt: null, endedAt: null, endCause: null },
    ...{ acknowledgedAt: null, acknowledgedBy: null },
    ...{ opening: "none", ending: "none" },
  };
}

function goingOn(
  before: Incident,
  { screenName, state, reason }: FailingScreen,
  { at, afterMs }: Observation,
): Incident {
  const isSame =
    before.state === state &&
    before.reason === reason &&
    before.screenName === screenName &&
    before.since <= at;
  // The database's clock may have been set back since the screen failed.
  const incident = isSame
    ? before
    : {
        ...{ ...before, screenName, state, reason },
        since: Math.min(before.since, at),
      };
  return incident.openedAt === null && at - incident.since >= afterMs
    ? { ...incident, openedAt: at, opening: "waiting" }
    : incident;
}

/** Null: it was never opened. */
function ended(
  incident: Incident,
  { at, excluded }: Observation,
): Incident | null {
  if (incident.openedAt === null) return null;
  return {
    ...incident,
    endedAt: Math.max(at, incident.openedAt),
    endCause: excluded.has(incident.screenId) ? "excluded" : "recovered",
    // Nobody heard of it: its end is no news either.
    opening: incident.opening === "sent" ? "sent" : "dropped",
    ending: incident.opening === "sent" ? "waiting" : "dropped",
  };
}

function acknowledged(
  incidents: ReadonlyMap<string, Incident>,
  { id, at, by }: Extract<AlertEvent, { readonly kind: "acknowledged" }>,
): ReadonlyMap<string, Incident> {
  const incident = incidents.get(id);
  if (!incident || incident.openedAt === null) return incidents;
  if (incident.endedAt !== null || incident.acknowledgedAt !== null)
    return incidents;
  return new Map(incidents).set(id, {
    ...{ ...incident, acknowledgedAt: at, acknowledgedBy: by },
    opening: incident.opening === "sent" ? "sent" : "dropped",
  });
}

/** A disabled rule sends nothing, not even about ends. */
function disabled(
  incidents: ReadonlyMap<string, Incident>,
  at: number,
): ReadonlyMap<string, Incident> {
  const silent = (notice: Notice): Notice =>
    notice === "sent" ? "sent" : "dropped";
  return new Map(
    [...incidents.values()].flatMap((incident) => {
      if (incident.openedAt === null) return [];
      const endedAt = incident.endedAt ?? Math.max(at, incident.openedAt);
      const closed: Incident = {
        ...{ ...incident, endedAt, endCause: incident.endCause ?? "excluded" },
        ...{ opening: silent(incident.opening), ending: "dropped" },
      };
      return [[incident.id, closed] as const];
    }),
  );
}

function isWaiting(notice: Notice): boolean {
  return notice === "waiting" || notice === "held";
}

/** Decides what is sent now; whatever is not sent waits for a later observation. */
function announced(
  incidents: ReadonlyMap<string, Incident>,
  pace: Pace,
  { at, isQuiet }: Observation,
): Step {
  const waiting = [...incidents.values()].filter(
    ({ opening, ending }) => isWaiting(opening) || isWaiting(ending),
  );
  // Moments ahead of now were noted before the clock was set back.
  const isRecent = (moment: number): boolean =>
    moment <= at && at - moment < paceMs;
  const singlesAt = pace.singlesAt.filter(isRecent);
  const digestAt =
    pace.digestAt !== null && isRecent(pace.digestAt) ? pace.digestAt : null;
  const current = { singlesAt, digestAt };
  if (waiting.length === 0)
    return { state: { incidents, pace: current }, messages: [] };
  if (isQuiet)
    return {
      state: { incidents: marked(incidents, waiting, "held"), pace: current },
      messages: [],
    };
  const wasHeld = waiting.some(
    ({ opening, ending }) => opening === "held" || ending === "held",
  );
  const areSingles =
    singlesAt.length + waiting.length <= maxSingles &&
    (!wasHeld || waiting.length === 1);
  if (!areSingles && digestAt !== null)
    return { state: { incidents, pace: current }, messages: [] };
  return {
    state: {
      incidents: marked(incidents, waiting, "sent"),
      pace: areSingles
        ? { digestAt, singlesAt: [...singlesAt, ...waiting.map(() => at)] }
        : { digestAt: at, singlesAt },
    },
    messages: areSingles
      ? waiting.map((one) => messageAbout([one], false))
      : [messageAbout(waiting, true)],
  };
}

function marked(
  incidents: ReadonlyMap<string, Incident>,
  waiting: readonly Incident[],
  as: Notice,
): ReadonlyMap<string, Incident> {
  const next = new Map(incidents);
  for (const incident of waiting)
    next.set(incident.id, {
      ...incident,
      opening: isWaiting(incident.opening) ? as : incident.opening,
      ending: isWaiting(incident.ending) ? as : incident.ending,
    });
  return next;
}

function messageAbout(
  incidents: readonly Incident[],
  isDigest: boolean,
): Message {
  const idsWhere = (field: "opening" | "ending"): readonly string[] =>
    incidents
      .filter((incident) => isWaiting(incident[field]))
      .map(({ id }) => id);
  return { isDigest, opened: idsWhere("opening"), ended: idsWhere("ending") };
}
