// A content service for tests of the screens page: screens in every state, as many as a test needs, with screenshots and commands.

import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import type {
  AlertIncidentV3,
  AlertRuleV3,
} from "../../../server/contract/v3/v3-alerts.ts";
import type {
  AssertionV3,
  WhatIfV3,
} from "../../../server/contract/v3/v3-what-if.ts";
import type { ScreenReport } from "../../../server/contract/link/screen-report.ts";
import type {
  ScreenCommandStateV3,
  ScreenStateV3,
} from "../../../server/contract/v3/v3-screens.ts";
import type {
  OutageTotalV3,
  ScreenOutageV3,
} from "../../../server/contract/v3/v3-outages.ts";
import type { ScreenScheduleV3 } from "../../../server/contract/v3/v3-screen-schedule.ts";
import type { PlaybackTotalV3 } from "../../../server/contract/v3/v3-playback-report.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { ManagerApp } from "./manager-app.ts";

export interface ServiceWithScreens {
  readonly address: string;
  /** As it will be in the next response. */
  readonly screens: ScreenStateV3[];
  /** Newest first; a test settles them. */
  readonly commands: ScreenCommandStateV3[];
  /** Newest first. */
  outages: ScreenOutageV3[];
  /** Method and path of each request that changed something, with its body. */
  readonly changes: { readonly request: string; readonly body: unknown }[];
  /** How often somebody looked at a screen. */
  watches: number;
  /** How often the list was requested. */
  polls: number;
  /** While true, every request is answered with 503. */
  isDown: boolean;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** How many; the first ones are in every state, the others right. */
  readonly count: number;
  /** Only the lists of version 3, as the commercial service has. */
  readonly isPlain?: boolean;
}

const minute = 60_000;

export async function serviceWithScreens({
  count,
  isPlain = false,
}: ServiceOptions): Promise<ServiceWithScreens> {
  const { pictures, livePictures } = await (drawn ??= drawPictures());
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: ServiceWithScreens = {
    address,
    screens: Array.from({ length: count }, (_, index) =>
      screenAt(index, address),
    ),
    ...{ commands: [], changes: [], isDown: false, watches: 0, polls: 0 },
    outages: Array.from({ length: Math.min(count, 120) }, (_, index) =>
      outageAt(index),
    ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const labels = labelNames.map((name) => ({ id: `label-${name}`, name }));
  afterThisTest(service.close);

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", address);
    const send = (status: number, value: unknown, etag?: string): void => {
      response.writeHead(status, {
        "Content-Type": "application/json",
        ...(etag !== undefined && { ETag: etag }),
      });
      response.end(JSON.stringify(value));
    };
    if (service.isDown) return send(503, { detail: "Down for a test." });
    const shot = /^\/shots\/(\d+)/.exec(url.pathname);
    if (shot) {
      response.writeHead(200, { "Content-Type": "image/jpeg" });
      response.end(pictures[Number(shot[1]) % pictures.length]);
      return;
    }
    if (headers.authorization !== "Token a-key")
      return send(401, { detail: "The key is wrong." });
    const path = url.pathname.replace(/^\/api\/v3/, "");
    const body = method === "GET" ? null : await bodyOf(request);
    if (/^\/screens\/[^/]+\/watch\/$/.test(path) && !isPlain) {
      service.watches += 1;
      const at = Math.floor(service.watches / 2) % livePictures.length;
      const { hash } = body as { readonly hash?: string };
      return send(200, {
        ...{ is_live: true, taken_at: new Date().toISOString() },
        ...{ hash: `${at}` },
        picture: hash === `${at}` ? null : livePictures[at],
      });
    }
    const bundle = /^\/screens\/commands\/([^/]+)\/bundle\/$/.exec(path)?.[1];
    if (bundle !== undefined) {
      response.writeHead(200, { "Content-Type": "application/gzip" });
      response.end(`bundle of ${decodeURIComponent(bundle)}`);
      return;
    }
    if (method !== "GET")
      service.changes.push({ request: `${method} ${path}`, body });
    if (path === "/screens/states/" && !isPlain) {
      service.polls += 1;
      const text = JSON.stringify(service.screens);
      const etag = `"${text.length}-${hashOf(text)}"`;
      if (headers["if-none-match"] === etag) {
        response.writeHead(304, { ETag: etag }).end();
        return;
      }
      response.writeHead(200, {
        "Content-Type": "application/json",
        ETag: etag,
      });
      response.end(text);
      return;
    }
    if (path === "/screens/" && method === "GET")
      return send(200, service.screens.map(listShape));
    if (path === "/screens/" && method === "POST") {
      const { pin, name } = body as { pin: string; name: string };
      if (pin !== "123456")
        return send(400, {
          pin: ["No player that is waiting to be paired shows this PIN."],
        });
      const added = { ...screenAt(3, address), id: "new", name };
      service.screens.push(added);
      return send(201, added);
    }
    if (path === "/groups/" && method === "GET")
      return send(200, [{ id: "all-screens", name: "All Screens" }, ...labels]);
    if (path === "/groups/") {
      const label = { id: "made", name: (body as { name: string }).name };
      labels.push(label);
      return send(201, label);
    }
    if (path === "/alerts/rules/" && !isPlain) return send(200, alertRules());
    if (path === "/alerts/incidents/" && !isPlain)
      return send(200, incidentsOf(service.screens));
    if (path === "/assertions/" && !isPlain) return send(200, assertions());
    if (path === "/what-if/" && !isPlain) return send(200, whatIf(body));
    if (path === "/assets/")
      return send(200, [
        { id: "asset-1", title: "Evacuation plan" },
        { id: "asset-2", title: "Opening hours" },
      ]);
    if (path.startsWith("/screens/outages/") && !isPlain)
      return send(200, outagesAt(path, url.searchParams));
    if (path === "/playbacks/report" && !isPlain)
      return send(200, playbackTotals(service.screens, url.searchParams));
    if (path === "/screens/adopted/") {
      const { address: at, name } = body as { address: string; name?: string };
      if (at !== "192.0.2.20")
        return send(400, {
          address: [
            "The device at this address is not an Anthias player (status 404).",
          ],
        });
      const adopted = adoptedScreen(screenAt(1, address), name ?? at);
      service.screens.push(adopted);
      return send(201, adopted);
    }
    if (path === "/playlists/" && !isPlain)
      return send(200, [{ id: "playlist-1", title: "Morning" }]);
    if (path === "/screens/assignments/") return assignTo(body, send);
    if (path.startsWith("/screens/commands/"))
      return commandsAt(url, body, send);
    const [, ofScreen, part] =
      /^\/screens\/([^/]+)\/(schedule|replace)\/$/.exec(path) ?? [];
    if (part === "schedule")
      return send(200, scheduleAt(url.searchParams.get("at") ?? ""));
    if (part === "replace") return replace(ofScreen ?? "", body, send);
    const id = /^\/screens\/(?:adopted\/)?([^/]+)\/$/.exec(path)?.[1];
    const place = service.screens.findIndex((screen) => screen.id === id);
    const screen = service.screens[place];
    if (!screen) return send(404, { detail: "Not found." });
    if (method === "DELETE") {
      service.screens.splice(place, 1);
      response.writeHead(200).end();
      return;
    }
    if (method === "PATCH") {
      const { groups, ...change } = body as {
        groups?: readonly { id: string }[];
      };
      service.screens[place] = {
        ...{ ...screen, ...change },
        ...(groups && {
          groups: labels.filter((label) =>
            groups.some((group) => group.id === label.id),
          ),
        }),
      };
    }
    send(200, { ...screen, hostname: "srly-7f3a", local_ip: "192.0.2.17" });
  }

  /** As the service refuses: a wrong PIN, and a player that is online. */
  function replace(
    id: string,
    body: unknown,
    send: (status: number, value: unknown) => void,
  ): void {
    const { pin, replace_online: isAccepted } = body as {
      readonly pin: string;
      readonly replace_online: boolean;
    };
    const screen = service.screens.find((one) => one.id === id);
    if (pin !== "123456")
      send(400, {
        pin: ["No player that is waiting to be paired shows this PIN."],
      });
    else if (screen?.state !== "offline" && !isAccepted)
      send(409, { detail: "The player for this screen is online." });
    else send(200, screen);
  }

  function assignTo(
    body: unknown,
    send: (status: number, value: unknown) => void,
  ): void {
    const { screens, add_groups: added } = body as {
      readonly screens: readonly string[];
      readonly add_groups: readonly string[];
    };
    for (const [place, screen] of service.screens.entries())
      if (screens.includes(screen.id))
        service.screens[place] = {
          ...screen,
          groups: labels.filter(
            ({ id }) =>
              added.includes(id) || screen.groups.some((one) => one.id === id),
          ),
        };
    send(200, { screens: screens.length });
  }

  function outagesAt(path: string, query: URLSearchParams): unknown {
    const group = query.get("group");
    const only = query.get("screen");
    const since = query.get("since") ?? "";
    const selected = service.outages.filter(
      ({ screen_id, ended_at }) =>
        (ended_at === null || ended_at >= since) &&
        (only === null || only === screen_id) &&
        (group === null ||
          service.screens.some(
            ({ id, groups }) =>
              id === screen_id && groups.some((one) => one.id === group),
          )),
    );
    if (path === "/screens/outages/") {
      const offset = Number(query.get("offset"));
      return selected.slice(offset, offset + Number(query.get("limit")));
    }
    return totalsOf(selected, ({ screen_id, screen_name, started_at }) => {
      const month = started_at.slice(0, 7);
      const groups = service.screens.find(({ id }) => id === screen_id)?.groups;
      switch (query.get("by")) {
        case "month":
          return { id: month, name: month };
        case "group":
          return groups?.[0] ?? { id: null, name: null };
        default:
          return { id: screen_id, name: screen_name };
      }
    });
  }

  function commandsAt(
    url: URL,
    body: unknown,
    send: (status: number, value: unknown) => void,
  ): void {
    if (body === null) {
      const action = url.searchParams.get("action");
      const screen = url.searchParams.get("screen");
      const selected = service.commands.filter(
        (command) =>
          (action === null || command.action_id === action) &&
          (screen === null || command.screen_id === screen),
      );
      if (!url.pathname.endsWith("/totals/")) return send(200, selected);
      const totals = {
        waiting: 0,
        received: 0,
        done: 0,
        failed: 0,
        expired: 0,
      };
      for (const { state } of selected) totals[state] += 1;
      return send(200, totals);
    }
    const sent = body as {
      screens: readonly string[];
      kind: string;
      arguments?: ScreenCommandStateV3["arguments"];
    };
    const id = `action-${service.commands.length}`;
    const at = new Date().toISOString();
    const commands = sent.screens.map((screen_id): ScreenCommandStateV3 => ({
      ...{ id: `${id}-${screen_id}`, action_id: id, screen_id },
      ...{ kind: sent.kind, arguments: sent.arguments ?? {} },
      ...{ issued_by: "manager", created_at: at, expires_at: at },
      ...{ state: "waiting", state_at: at, message: null },
    }));
    service.commands.unshift(...commands);
    send(201, { id, commands });
  }

  return service;
}

/** With its key; syncing is disabled, since it has no content. */
export async function connectTo(
  { page }: Pick<ManagerApp, "page">,
  address: string,
  name = "Head office",
): Promise<void> {
  await page.evaluate(
    (connection) =>
      window.manager.operate({
        operation: "createSyncAccount",
        body: { ...connection, token: "a-key", is_enabled: false },
      }),
    { base_url: address, name },
  );
}

export async function disconnectAll({
  page,
}: Pick<ManagerApp, "page">): Promise<void> {
  await page.evaluate(async () => {
    const outcome = await window.manager.operate({
      operation: "listSyncAccounts",
    });
    const accounts = (outcome as { answer: { account_id: string }[] }).answer;
    for (const { account_id: id } of accounts)
      await window.manager.operate({
        operation: "deleteSyncAccount",
        parameters: { id },
      });
  });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>)
    chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? null : JSON.parse(text);
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1)
    hash = (hash * 31 + text.charCodeAt(index)) | 0;
  return hash;
}

/** An Anthias player that tells some of what there is to tell. */
function adoptedScreen(screen: ScreenStateV3, name: string): ScreenStateV3 {
  return {
    ...{ ...screen, id: "adopted", name, state: "unverified", groups: [] },
    state_since: new Date(Date.now() - 90 * minute).toISOString(),
    reason: "Nothing has verified what the screen shows.",
    ...{ software_version: "master@1a2b3c4", screenshot: null },
    item_counts: { wanted: 12, here: 12, failed: 0 },
    report: {
      showing: {
        ...{ asset_id: null, name: "Opening hours", kind: "image" },
        ...{ reason: "reported", playlist: null, until: null },
        explanation: "The player reports that it is playing this.",
        since: new Date(Date.now() - minute).toISOString(),
        ...{ verdict: null, verdict_since: null },
      },
      ...{ next: null, paused_until: null, is_dark: false, missing: [] },
      ...{ displays: [], storage: null, clock_skew_ms: null },
    },
    adopted: {
      ...{ address: "http://192.0.2.20", username: "admin", problem: null },
      facts: {
        ...{ version: "master@1a2b3c4", load_average: 0.25 },
        ...{ model: "Raspberry Pi 4 Model B Rev 1.4", free_space: "12G" },
        ...{ uptime_seconds: 185_400, display_power: null },
      },
      kept_assets: 3,
    },
  };
}

function listShape(screen: ScreenStateV3) {
  return {
    ...{ id: screen.id, name: screen.name, is_enabled: screen.is_enabled },
    status: screen.state === "offline" ? "Offline" : "In Sync",
    ...{ in_sync: screen.state !== "incomplete", type: "hardware" },
    ...{ coords: [0, 0], groups: screen.groups, last_ping: screen.last_ping },
    last_screenshot: screen.screenshot?.url ?? "",
  };
}

// What the screens show: names, places and states as in a company with sites in several countries.

const labelNames = ["Lobby", "Canteen", "Menu boards", "Meeting rooms"];
const places = ["Hamburg", "Lyon", "Toronto", "Osaka"];
const zones = [
  ...["Europe/Berlin", "Europe/Paris", "America/Toronto", "Asia/Tokyo"],
];
const assets = ["Spring collection", "Lunch menu", "Welcome", "Departures"];
const colours = [
  ...["#fda085", "#a8e063", "#6dd5ed", "#4b79a1"],
  ...["#8e2de2", "#b5651d"],
];

/** One is kept, one is broken. */
function assertions(): readonly AssertionV3[] {
  const checked_at = new Date(0).toISOString();
  const from = new Date().toISOString();
  const plain = {
    ...{ is_enabled: true, holds_back: true, created_at: checked_at },
  };
  return [
    {
      ...{ ...plain, id: "assertion-1", name: "Evacuation plan hourly" },
      ...{ kind: "at-least", every_minutes: 60, folders: [], groups: [] },
      assets: [{ id: "asset-1", title: "Evacuation plan" }],
      predicate: "$TIME >= 28800000 AND $TIME < 64800000",
      last_check: {
        ...{ checked_at, is_broken: false, screens: { count: 0, first: [] } },
        periods: { count: 0, seconds: 0, first: [] },
      },
    },
    {
      ...{ ...plain, id: "assertion-2", name: "No alcohol before 16:00" },
      ...{ kind: "never", every_minutes: null, assets: [] },
      ...{ folders: ["Alcohol"], predicate: "$TIME < 57600000" },
      groups: [{ id: "label-Canteen", name: "Canteen" }],
      last_check: {
        ...{ checked_at, is_broken: true },
        screens: { count: 12, first: [{ id: "screen-3", name: "Canteen 1" }] },
        periods: { count: 1, seconds: 3600, first: [{ from, until: from }] },
      },
    },
  ];
}

/** Only one of the labels makes a difference. */
function whatIf(body: unknown): WhatIfV3 {
  const isOther = JSON.stringify(body).includes("Menu boards");
  const now = Date.now();
  const from = new Date(now).toISOString();
  const until = new Date(now + 30 * 86_400_000).toISOString();
  const screens = { count: 1, first: [{ id: "screen-1", name: "Lobby 1" }] };
  const counted = Number(isOther);
  return {
    ...{ from, until, change_count: counted },
    screens: { total: 1, changed: counted, emptied: counted, empty: 0 },
    changes: isOther
      ? [
          {
            ...{ screens, timezone: "Europe/Berlin", is_empty: false },
            ...{ changed_seconds: 432_000, emptied_seconds: 108_000 },
            periods: {
              count: 30,
              first: [
                {
                  ...{ from, until },
                  before: [{ id: "playlist-1", title: "Welcome" }],
                  after: [{ id: "playlist-2", title: "Lunch menu" }],
                },
              ],
            },
          },
        ]
      : [],
    assertions: isOther
      ? [
          {
            ...{ id: "assertion-2", name: "No alcohol before 16:00" },
            ...{ holds_back: true, is_newly_broken: true, screens },
            newly_broken_screens: screens,
            periods: { count: 30, seconds: 36_000, first: [{ from, until }] },
          },
        ]
      : [],
  };
}

function alertRules(): readonly AlertRuleV3[] {
  const created_at = new Date(0).toISOString();
  return [
    {
      ...{ id: "rule-1", name: "Night watch", is_enabled: true, created_at },
      ...{ states: ["wrong", "offline"], after_seconds: 300, groups: [] },
      webhook: { url: "https://example.org/alerts", has_secret: true },
      emails: ["operations@example.org"],
      quiet_hours: {
        ...{ from: "22:00", until: "06:00", timezone: "Europe/Berlin" },
      },
    },
    {
      ...{ id: "rule-2", name: "Canteen", is_enabled: false, created_at },
      ...{ states: ["incomplete"], after_seconds: 0, emails: [] },
      groups: [{ id: "label-Canteen", name: "Canteen" }],
      ...{ webhook: null, quiet_hours: null },
    },
  ];
}

/** Of the screens that are wrong: the second one is acknowledged. */
function incidentsOf(
  screens: readonly ScreenStateV3[],
): readonly AlertIncidentV3[] {
  return screens
    .filter(({ state }) => state === "wrong")
    .map(({ id, name, state_since }, index): AlertIncidentV3 => {
      const since = state_since ?? new Date(0).toISOString();
      const isFailed = index === 1;
      return {
        ...{ id: `incident-${id}`, screen_id: id, screen_name: name },
        ...{ rule_id: "rule-1", rule_name: "Night watch", state: "wrong" },
        reason: "The screen is blank instead of showing “Lunch menu”.",
        ...{ since, opened_at: since, ended_at: null, end_cause: null },
        acknowledged_at: isFailed ? since : null,
        acknowledged_by: isFailed ? "Ann" : null,
        messages: [
          {
            ...{ message_id: "message-1", event: "opened", is_digest: false },
            ...{ target: "webhook", address: "https://example.org/alerts" },
            ...{ state: isFailed ? "failed" : "sent", tries: 1 },
            ...{ created_at: since, tried_at: since },
            result: isFailed ? "The server responded with status 410." : null,
          },
        ],
      };
    });
}

function screenAt(index: number, address: string): ScreenStateV3 {
  const states: readonly ScreenStateV3["state"][] = [
    ...(["right", "wrong", "incomplete", "right", "offline"] as const),
    ...(["dark", "unverified", "wrong", "never-seen", "wrong"] as const),
  ];
  const state = states[index] ?? "right";
  const now = Date.now();
  const ago = (minutes: number): string =>
    new Date(now - minutes * minute).toISOString();
  const place = index % places.length;
  const label = labelNames[index % labelNames.length] ?? "";
  const isSeen = state !== "never-seen";
  return {
    id: `screen-${index}`,
    name: `${label} ${places[place] ?? ""} ${index + 1}`,
    is_enabled: state !== "dark",
    ...{ timezone: zones[place] ?? "", location: places[place] ?? "" },
    groups: [{ id: `label-${label}`, name: label }],
    ...{ state, state_since: isSeen ? ago(12 + index) : null },
    reason: state === "right" ? null : "A reason in English.",
    report:
      isSeen && state !== "unverified" ? reportAt(index, state, ago) : null,
    reported_at: isSeen ? ago(1) : null,
    item_counts: isSeen
      ? {
          wanted: 24,
          here: state === "incomplete" ? 22 : 24,
          failed: state === "incomplete" ? 2 : 0,
        }
      : null,
    last_ping: isSeen ? ago(state === "offline" ? 190 : 0.3) : null,
    software_version: "1.4.0",
    screenshot: isSeen
      ? {
          url: `${address}/shots/${index}?expires=1`,
          taken_at: ago(state === "offline" ? 190 : 3),
        }
      : null,
  };
}

function reportAt(
  index: number,
  state: ScreenStateV3["state"],
  ago: (minutes: number) => string,
): ScreenReport {
  const verdicts = ["blank", "wrong", "frozen"] as const;
  return {
    showing: {
      ...{ asset_id: "asset-1", kind: "image" },
      name: assets[index % assets.length] ?? "",
      reason: index === 9 ? "takeover" : "schedule",
      explanation: "It is scheduled.",
      playlist: index % 3 === 0 ? "All day" : "Morning",
      ...{ since: ago(4), until: null },
      verdict:
        state === "wrong" ? (verdicts[index % 3] ?? "blank") : "verified",
      verdict_since: ago(12 + index),
    },
    next: assets[(index + 1) % assets.length] ?? "",
    ...{ paused_until: null, is_dark: false },
    missing:
      state === "incomplete"
        ? [{ name: "Autumn colours", reason: "The file has another size." }]
        : [],
    displays: [
      { width: 1920, height: 1080, rotation: 0, is_playback: true },
      { width: 1080, height: 1920, rotation: 90, is_playback: false },
    ],
    storage: { free_bytes: 21_400_000_000, total_bytes: 64_000_000_000 },
    clock_skew_ms: state === "wrong" ? 95_000 : 400,
  };
}

/** Two playlists for the screen, and one for others. */
function scheduleAt(at: string): ScreenScheduleV3 {
  const candidate = (
    title: string,
    reason: ScreenScheduleV3["candidates"][number]["reason"],
    predicate = "TRUE",
  ): ScreenScheduleV3["candidates"][number] => ({
    ...{ kind: "playlist", id: title, name: title, asset_id: null },
    ...{ playlist: { id: title, title }, predicate, reason },
  });
  return {
    ...{ time: at, timezone: "Europe/Paris", is_enabled: true, until: null },
    due: assets.map((name, index) => ({
      ...{ item_id: `item-${index}`, asset_id: `asset-${index}`, name },
      ...{ playlist: { id: "All day", title: "All day" }, duration: 10 },
    })),
    candidates: [
      candidate("All day", { code: "plays" }),
      candidate(
        ...([
          "Morning",
          { code: "predicate-false" as const, part: "$TIME <= 36000000" },
          "$TIME >= 25200000 AND $TIME <= 36000000",
        ] as const),
      ),
      candidate("Kitchen", { code: "other-groups", labels: ["Canteen"] }),
    ],
  };
}

type OutageKey = Pick<OutageTotalV3, "id" | "name">;

function totalsOf(
  outages: readonly ScreenOutageV3[],
  keyOf: (outage: ScreenOutageV3) => OutageKey,
): readonly OutageTotalV3[] {
  const totals = new Map<string | null, OutageTotalV3>();
  for (const outage of outages) {
    const { id, name } = keyOf(outage);
    const seconds = outage.duration_seconds ?? 3600;
    const before = totals.get(id);
    const cause = before?.causes[outage.cause];
    totals.set(id, {
      ...{ id, name, outages: (before?.outages ?? 0) + 1 },
      duration_seconds: (before?.duration_seconds ?? 0) + seconds,
      causes: {
        ...before?.causes,
        [outage.cause]: {
          outages: (cause?.outages ?? 0) + 1,
          duration_seconds: (cause?.duration_seconds ?? 0) + seconds,
        },
      },
    });
  }
  return [...totals.values()];
}

/** The first two are ongoing. */
function outageAt(index: number): ScreenOutageV3 {
  const kinds = [
    ["offline", "network", "The player does not respond."],
    [
      ...(["wrong", "app"] as const),
      "The screen is frozen instead of showing “Spring collection”.",
    ],
    [
      ...(["incomplete", "content"] as const),
      "2 of 24 items failed: “Autumn colours”: The file has another size.",
    ],
    ["offline", "power", "The player does not respond."],
    [
      ...(["wrong", "unknown"] as const),
      "The screen is blank instead of showing “Lunch menu”.",
    ],
    ["offline", "planned", "The player does not respond."],
  ] as const;
  const goesOn = index < 2;
  const [state, cause, reason] = kinds[index % kinds.length] ?? kinds[0];
  const screen = (index * 7) % 23;
  const place = screen % places.length;
  const started = Date.now() - (index * 11 + 1) * 60 * minute;
  const seconds = 45 + ((index * 977) % 40) * 113;
  return {
    ...{ id: `outage-${index}`, screen_id: `screen-${screen}` },
    screen_name: `${labelNames[screen % labelNames.length] ?? ""} ${places[place] ?? ""} ${screen + 1}`,
    ...{ state, reason },
    cause: goesOn && state === "offline" ? "unknown" : cause,
    started_at: new Date(started).toISOString(),
    ended_at: goesOn ? null : new Date(started + seconds * 1000).toISOString(),
    duration_seconds: goesOn ? null : seconds,
  };
}

/** Three assets on every screen and day of the last ten. */
function playbackTotals(
  screens: readonly ScreenStateV3[],
  query: URLSearchParams,
): readonly PlaybackTotalV3[] {
  const by = query.getAll("by");
  const group = query.get("group");
  const only = query.get("screen");
  const totals = new Map<string, PlaybackTotalV3>();
  const shown = screens.filter(
    ({ id, groups }) =>
      (only === null || only === id) &&
      (group === null || groups.some((one) => one.id === group)),
  );
  for (let ago = 0; ago < 10; ago += 1)
    for (const [at, screen] of shown.entries())
      for (let asset = 0; asset < 3; asset += 1) {
        const day = new Date(Date.now() - ago * 24 * 60 * minute)
          .toISOString()
          .slice(0, 10);
        if (day < (query.get("from") ?? "") || day > (query.get("to") ?? ""))
          continue;
        const [label = null] = screen.groups;
        const key: Omit<PlaybackTotalV3, "playbacks" | "duration_seconds"> = {
          ...(by.includes("day") && { day }),
          ...(by.includes("screen") && {
            ...{ screen_id: screen.id, screen_name: screen.name },
          }),
          ...(by.includes("group") && {
            ...{ group_id: label?.id ?? null, group_name: label?.name ?? null },
          }),
          ...(by.includes("asset") && {
            asset_id: `asset-${asset}`,
            asset_title: asset === 2 ? null : (assets[asset] ?? null),
          }),
          ...(by.includes("playlist") && {
            playlist_id: asset === 0 ? null : `playlist-${asset}`,
            playlist_title: asset === 1 ? "Morning" : null,
          }),
        };
        const before = totals.get(JSON.stringify(key));
        const playbacks = 20 + ((at + asset * 7 + ago * 3) % 11);
        totals.set(JSON.stringify(key), {
          ...key,
          playbacks: (before?.playbacks ?? 0) + playbacks,
          duration_seconds: (before?.duration_seconds ?? 0) + playbacks * 12,
        });
      }
  return [...totals.values()];
}

interface Pictures {
  readonly pictures: readonly Buffer[];
  /** The same as data URLs. */
  readonly livePictures: readonly string[];
}

/** The same for every service: encoding them takes longer than many a test. */
let drawn: Promise<Pictures> | null = null;

async function drawPictures(): Promise<Pictures> {
  const pictures = await Promise.all(colours.map(pictureOf));
  const livePictures = await Promise.all(
    pictures.map(async (picture) => {
      const webp = await sharp(picture).webp({ quality: 60 }).toBuffer();
      return `data:image/webp;base64,${webp.toString("base64")}`;
    }),
  );
  return { pictures, livePictures };
}

function pictureOf(colour: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><rect width="960" height="540" fill="${colour}"/>
    <circle cx="790" cy="90" r="190" fill="#ffffff" opacity="0.2"/><rect x="70" y="330" width="420" height="40" fill="#ffffff"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}
