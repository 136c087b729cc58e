// What screens cost a content service, from measured unit costs: the table of the guide "From one PC to a million screens".
//   node build/scaling.ts

/** Measured with `npm run bench -- fleet` and `npm run bench -- scale`; the guide says when and where. */
export const unitCosts = {
  /** Of an instance, for each open WebSocket; 2,500 players. */
  socketKib: 121,
  /** Processor time for a report of what a screen shows. */
  reportServiceMs: 2.3,
  reportDatabaseMs: 2.6,
  /** For a poll of what a screen should have. */
  pollServiceMs: 1,
  pollDatabaseMs: 1.5,
  /** For a playback, of a hundred in one request. */
  playbackServiceMs: 0.037,
  playbackDatabaseMs: 0.054,
  /** In the database, with its indexes. */
  playbackBytes: 1_000,
} as const;

/** What the interfaces and the service say. */
export const rules = {
  /** Between two reports that have changed: the least, the most, and how many arrive a second between them (L-45). */
  reportSeconds: { least: 5, most: 30 },
  reportsPerSecond: 40,
  /** Polls besides those after a change: the default of a connection. */
  pollSeconds: 60,
  /** Players that reconnect to an instance (L-46). */
  reconnectsPerSecond: 200,
  /** Sockets of an instance. */
  maxSockets: 50_000,
} as const;

/** What screens do; the guide states it. */
export const assumptions = {
  showingSeconds: 10,
  hoursPerDay: 24,
  /** New media for each screen. */
  mediaMbPerDay: 100,
  /** Of its one processor core, so that an instance can take over the work of another. */
  instanceLoad: 0.5,
  leastInstances: 2,
} as const;

export interface Scale {
  readonly screens: number;
  readonly playbacksPerSecond: number;
  readonly transactionsPerSecond: number;
  readonly serviceCores: number;
  readonly databaseCores: number;
  readonly instances: number;
  readonly socketGib: number;
  readonly playbackGbPerDay: number;
  readonly mediaMbitPerSecond: number;
  readonly reconnectSeconds: number;
}

/** Playbacks are sent a hundred at a time. */
const playbacksAtOnce = 100;
const secondsPerDay = 86_400;

export function scaleOf(screens: number): Scale {
  const { showingSeconds, hoursPerDay, mediaMbPerDay } = assumptions;
  const reportsPerSecond = screens / reportSecondsFor(screens);
  const pollsPerSecond = screens / rules.pollSeconds;
  const playbacksPerSecond = ((screens / showingSeconds) * hoursPerDay) / 24;
  const coresOf = (report: number, poll: number, playback: number): number =>
    (reportsPerSecond * report +
      pollsPerSecond * poll +
      playbacksPerSecond * playback) /
    1000;
  const serviceCores = coresOf(
    unitCosts.reportServiceMs,
    unitCosts.pollServiceMs,
    unitCosts.playbackServiceMs,
  );
  const instances = Math.max(
    screens <= 100 ? 1 : assumptions.leastInstances,
    Math.ceil(serviceCores / assumptions.instanceLoad),
    Math.ceil(screens / rules.maxSockets),
  );
  return {
    ...{ screens, playbacksPerSecond, serviceCores, instances },
    transactionsPerSecond:
      reportsPerSecond + playbacksPerSecond / playbacksAtOnce,
    databaseCores: coresOf(
      unitCosts.reportDatabaseMs,
      unitCosts.pollDatabaseMs,
      unitCosts.playbackDatabaseMs,
    ),
    socketGib: (screens * unitCosts.socketKib) / 1024 ** 2,
    playbackGbPerDay:
      (playbacksPerSecond * secondsPerDay * unitCosts.playbackBytes) / 1e9,
    mediaMbitPerSecond: (screens * mediaMbPerDay * 8) / secondsPerDay,
    reconnectSeconds: screens / instances / rules.reconnectsPerSecond,
  };
}

/** A report changes with what is shown. */
function reportSecondsFor(screens: number): number {
  const { least, most } = rules.reportSeconds;
  const allowed = Math.ceil(screens / rules.reportsPerSecond);
  return Math.max(
    assumptions.showingSeconds,
    Math.min(most, Math.max(least, allowed)),
  );
}

export const guideScales = [100, 10_000, 1_000_000];

/** As a table in Markdown, one column for each number of screens. */
export function scalingTable(
  scales: readonly Scale[] = guideScales.map(scaleOf),
): string {
  const lines: readonly (readonly [string, (scale: Scale) => string])[] = [
    ["Playbacks a second", (one) => figure(one.playbacksPerSecond)],
    ["Write transactions a second", (one) => figure(one.transactionsPerSecond)],
    ["Cores of all instances", (one) => figure(one.serviceCores)],
    ["Instances", (one) => figure(one.instances)],
    ["Cores of the database", (one) => figure(one.databaseCores)],
    ["Memory for WebSockets", (one) => `${figure(one.socketGib)} GiB`],
    ["Playbacks stored a day", (one) => `${figure(one.playbackGbPerDay)} GB`],
    [
      "Media, spread over the day",
      (one) => `${figure(one.mediaMbitPerSecond)} Mbit/s`,
    ],
    [
      "All reconnected after a restart",
      (one) => `${figure(one.reconnectSeconds)} s`,
    ],
  ];
  const rows = [
    ["Screens", ...scales.map(({ screens }) => figure(screens))],
    ...lines.map(([name, of]) => [name, ...scales.map(of)]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const text = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = widths.map((width) => "-".repeat(width));
  return [text(head), text(rule), ...body.map(text)].join("\n");
}

/** No more digits than the unit costs have. */
function figure(value: number): string {
  const isRound = value >= 100 || Number.isInteger(value);
  return isRound
    ? Number(
        value >= 1e3 ? value.toPrecision(2) : Math.round(value),
      ).toLocaleString("en")
    : Number(value.toPrecision(2)).toLocaleString("en", {
        maximumFractionDigits: 4,
      });
}

if (import.meta.main) console.log(scalingTable());
