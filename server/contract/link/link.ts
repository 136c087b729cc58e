// The player link: what a waiting or paired player and its content service say to each other (L-1 to L-20).

import * as z from "zod";

/** Below a service's base address, with and without `/api` in front. */
export const linkPaths = {
  players: "/link/v1/players",
  pin: "/link/v1/pin",
  player: "/link/v1/player",
  news: "/link/v1/news",
  heartbeat: "/link/v1/heartbeat",
  playbacks: "/link/v1/playbacks",
  screenshot: "/link/v1/screenshot",
  /** An installation's id follows. */
  apps: "/link/v1/apps",
} as const;

/** What every credential begins with, so that it is never taken for an API key (L-3). */
export const credentialPrefix = "vitrine-screen-";

export function isCredential(secret: string): boolean {
  return secret.startsWith(credentialPrefix);
}

const short = z.string().max(200);
const sentence = z.string().max(2000);
const identifier = z.string().min(1).max(100);
const moment = z.iso.datetime({ offset: true });

/** What a player says of itself; whatever is left out stays as it was said last (L-6). */
const facts = z.object({
  /** What its operator calls it; a screen that is claimed without a name gets it. */
  name: short.optional(),
  hardware_version: short.optional(),
  software_version: short.optional(),
  local_ip: short.nullable().optional(),
  mac: short.nullable().optional(),
  /** How it is connected, as `eth0` or `Wi-Fi`. */
  interface: short.nullable().optional(),
  /** Whole seconds since it was started. */
  uptime: z.int().nonnegative().optional(),
  load_avg: short.optional(),
  signal_strength: z.int().min(-200).max(200).nullable().optional(),
});
export type LinkFacts = Readonly<z.infer<typeof facts>>;

/** `POST players`, without any credential (L-1). */
export const registerLink = z.object({ facts: facts.optional() });

const waitingPin = {
  /** Six letters and digits, to be typed by a person. */
  pin: z.string(),
  expires_at: moment,
  expires_in_seconds: z.int().nonnegative(),
};

/** 201 of `POST players`; the credential is told this once (L-2, L-3). */
export const registeredLink = z.object({
  player_id: identifier,
  credential: z.string().startsWith(credentialPrefix),
  ...waitingPin,
});

/** 201 of `POST pin`: a new pin in place of the old one (L-4). */
export const newPinLink = z.object(waitingPin);

/** A screen as its player sees it (L-8). */
const screen = z.object({
  id: identifier,
  name: z.string(),
  hostname: z.string(),
  team_id: identifier,
  is_enabled: z.boolean(),
  /** IANA name; predicates are judged by the wall clock there. */
  timezone: z.string(),
  location: z.string(),
  /** Latitude and longitude. */
  coords: z.tuple([z.number(), z.number()]),
  config: z.record(z.string(), z.json()),
  /** All that it is in, its own and All Screens included; playlists are linked to them. */
  labels: z.array(
    z.object({
      id: identifier,
      type: z.enum(["all-screens", "manual", "screen"]),
      name: z.string(),
    }),
  ),
});
export type LinkScreen = Readonly<z.infer<typeof screen>>;

/** 200 of `GET player?wait=SECONDS`: held until it is claimed or the seconds are over (L-5). */
export const playerLink = z.discriminatedUnion("status", [
  z.object({ status: z.literal("waiting"), ...waitingPin }),
  /** Its pin was not typed in time; `POST pin` gives another. */
  z.object({ status: z.literal("expired") }),
  z.object({ status: z.literal("claimed"), screen }),
]);

export const commandKinds = [
  /** Look at the content now. */
  "look",
  /** Take a picture of the glass and send it (`PUT screenshot`). */
  "screenshot",
  ...(["next", "previous"] as const),
  /** The app, not the machine. */
  "restart",
  "reboot",
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** An order for one screen; the player does what it can and says so (L-11). */
const command = z.object({
  id: identifier,
  /** One of `commandKinds`; a player answers those it does not know as not done. */
  kind: z.string(),
  created_at: moment,
});
export type LinkCommand = Readonly<z.infer<typeof command>>;

/** 200 of `GET news?revision=REVISION&wait=SECONDS` and of `POST heartbeat` (L-7 to L-11). */
export const newsLink = z.object({
  screen,
  /** Another text than last time: the content or this screen changed, look at it. */
  revision: z.string(),
  commands: z.array(command),
  /** When the next heartbeat is expected. */
  heartbeat_in_seconds: z.int().positive(),
});
export type NewsLink = Readonly<z.infer<typeof newsLink>>;

/** Of the items that the service wants on a screen, as the player counts them (L-33, V2-570). */
const itemCounts = z.object({
  wanted: z.int().nonnegative(),
  here: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});

/** The body of `POST heartbeat` (L-6, L-11, L-33). */
export const heartbeatLink = z.object({
  facts: facts.optional(),
  sync: z.enum(["in-sync", "syncing", "out-of-sync"]),
  /** Earlier players leave it out. */
  item_counts: itemCounts.optional(),
  /** Commands that were dealt with since the last heartbeat that was answered. */
  done: z
    .array(
      z.object({
        id: identifier,
        is_done: z.boolean(),
        message: sentence.optional(),
      }),
    )
    .max(100)
    .optional(),
});
export type HeartbeatLink = Readonly<z.infer<typeof heartbeatLink>>;

/** So many go into one request (L-12). */
export const maxPlaybacks = 1000;

const playback = z
  .object({
    /** The player's own, never used twice; a ULID, say. */
    id: identifier,
    asset_id: identifier,
    /** Null for what was in no playlist of the service. */
    playlist_id: identifier.nullable(),
    started_at: moment,
    ended_at: moment,
  })
  .refine(
    ({ started_at, ended_at }) =>
      Date.parse(started_at) <= Date.parse(ended_at),
    { path: ["ended_at"], error: "This is before started_at." },
  );
export type LinkPlayback = Readonly<z.infer<typeof playback>>;

/** The body of `POST playbacks` (L-12). */
export const playbacksLink = z.object({
  playbacks: z.array(playback).max(maxPlaybacks),
});

/** 200 of `POST playbacks`: all of them are kept now, these many for the first time. */
export const keptPlaybacksLink = z.object({ stored: z.int().nonnegative() });

/** 200 of `GET apps/{installation_id}`: what the app's page is given (L-14). */
export const appLink = z.object({
  installation_id: identifier,
  app_id: identifier,
  name: z.string(),
  /** Of its channel; null while nothing is deployed. */
  revision: z.int().positive().nullable(),
  /** Where its page is, when it is not `index.html` among the files. */
  entrypoint: z.string().nullable(),
  ready_signal: z.boolean(),
  /** Path → id of the asset with its bytes. */
  files: z.record(z.string(), identifier),
  /** Values set for the installation, else for the app, else the defaults; secrets among them. */
  settings: z.record(z.string(), z.string()),
  /** Bearer credential with which the app asks for tokens at `{base}/api/v3/edge-apps/oauth/tokens/`. */
  app_auth_token: z.string(),
});
export type AppLink = Readonly<z.infer<typeof appLink>>;

/** The largest picture of a glass that `PUT screenshot` takes: PNG, JPEG or WebP (L-13). */
export const maxScreenshotBytes = 8 * 1024 * 1024;
/** The longest `wait` that is kept; a longer one is cut (L-9). */
export const maxWaitSeconds = 50;
