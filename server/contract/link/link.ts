// The player link: requests and answers between a waiting or paired player and its content service (L-1 to L-72).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { screenReport } from "./screen-report.ts";

/** Relative to a service's base address, with and without `/api` in front. */
export const linkPaths = {
  players: "/link/v1/players",
  pin: "/link/v1/pin",
  player: "/link/v1/player",
  news: "/link/v1/news",
  /** A WebSocket (L-44). */
  socket: "/link/v1/socket",
  heartbeat: "/link/v1/heartbeat",
  playbacks: "/link/v1/playbacks",
  screenshot: "/link/v1/screenshot",
  livePicture: "/link/v1/live-picture",
  /** The id of the command that asked for it follows. */
  supportBundles: "/link/v1/support-bundles",
  /** An installation's id follows. */
  apps: "/link/v1/apps",
  siteKeys: "/link/v1/site-keys",
} as const;

/** Prefix of every credential, so that none is mistaken for an API key (L-3). */
export const credentialPrefix = "vitrine-screen-";

export function isCredential(secret: string): boolean {
  return secret.startsWith(credentialPrefix);
}

const short = z.string().max(200);
const sentence = z.string().max(2000);
const identifier = z.string().min(1).max(100);
const moment = z.iso.datetime({ offset: true });

/** What a player reports about itself; omitted fields keep their last value (L-6). */
const facts = z.object({
  /** The name given by its operator; a screen claimed without a name gets this one. */
  name: short.optional(),
  hardware_version: short.optional(),
  software_version: short.optional(),
  local_ip: short.nullable().optional(),
  mac: short.nullable().optional(),
  /** Its network interface, such as `eth0` or `Wi-Fi`. */
  interface: short.nullable().optional(),
  /** Whole seconds since its start. */
  uptime: z.int().nonnegative().optional(),
  /** Whole seconds since the start of its PC (L-51). */
  machine_uptime: z.int().nonnegative().optional(),
  /** How its run before this one ended; left out for its first (L-51). */
  last_run_end: z.enum(["requested", "unexpected"]).optional(),
  load_avg: short.optional(),
  signal_strength: z.int().min(-200).max(200).nullable().optional(),
});
export type LinkFacts = Readonly<z.infer<typeof facts>>;

/** `POST players`, without a credential (L-1). */
export const registerLink = z.object({ facts: facts.optional() });

const waitingPin = {
  /** Six letters and digits, to be typed by a person. */
  pin: z.string(),
  expires_at: moment,
  expires_in_seconds: z.int().nonnegative(),
};

/** 201 of `POST players`; the credential is returned only this once (L-2, L-3). */
export const registeredLink = z.object({
  player_id: identifier,
  credential: z.string().startsWith(credentialPrefix),
  ...waitingPin,
});

/** 201 of `POST pin`: a new pin that replaces the old one (L-4). */
export const newPinLink = z.object(waitingPin);

/** A screen as its player sees it (L-8). */
const screen = z.object({
  id: identifier,
  name: z.string(),
  hostname: z.string(),
  team_id: identifier,
  is_enabled: z.boolean(),
  /** IANA name; predicates are evaluated in this time zone. */
  timezone: z.string(),
  location: z.string(),
  /** Latitude and longitude. */
  coords: z.tuple([z.number(), z.number()]),
  config: z.record(z.string(), z.json()),
  /** All its labels, its own and All Screens included; playlists are linked to them. */
  labels: z.array(
    z.object({
      id: identifier,
      type: z.enum(["all-screens", "manual", "screen"]),
      name: z.string(),
    }),
  ),
});
export type LinkScreen = Readonly<z.infer<typeof screen>>;

/** 200 of `GET player?wait=SECONDS`: held until the player is claimed or the time is over (L-5). */
export const playerLink = z.discriminatedUnion("status", [
  z.object({ status: z.literal("waiting"), ...waitingPin }),
  /** Its pin was not entered in time; `POST pin` returns a new one. */
  z.object({ status: z.literal("expired") }),
  z.object({ status: z.literal("claimed"), screen }),
]);

export const commandKinds = [
  /** Sync the content now. */
  "look",
  /** Take a screenshot of the screen and send it (`PUT screenshot`). */
  "screenshot",
  ...(["next", "previous"] as const),
  /** Show one asset once: `asset_id`. */
  "show",
  /** Take the screen over, until a time or until it is ended: see `commandArguments`. */
  "takeover",
  "end-takeover",
  /** Show the screen's name on it for 20 seconds. */
  "identify",
  /** Restart the app, not the machine. */
  "restart",
  "reboot",
  /** Collect logs and states without secrets, and send them (`PUT support-bundles/ID`, L-71). */
  "collect-logs",
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** The longest text of a takeover that is still readable from across a room, as in version 2 (V2-150). */
const maxTextLength = 500;

/** Arguments by kind; kinds that are not listed have none (L-41). */
export const commandArguments = {
  show: z.object({ asset_id: identifier }),
  /** Exactly one of `asset_id`, `text` and `url`. Without `until`, it lasts until it is ended. */
  takeover: z
    .object({
      asset_id: identifier.optional(),
      text: z.string().trim().min(1).max(maxTextLength).optional(),
      url: z
        .string()
        .max(2000)
        .regex(/^https?:\/\/[^\s/?#]/i, fieldSentences["web-address"])
        .optional(),
      until: moment.optional(),
      reason: z.string().max(500).optional(),
    })
    .refine(
      ({ asset_id, text, url }) =>
        [asset_id, text, url].filter((one) => one !== undefined).length === 1,
      {
        path: ["text"],
        error: "must be sent, or asset_id or url instead, and only one of them",
      },
    ),
} as const;
export type ShowArguments = Readonly<z.infer<typeof commandArguments.show>>;
export type TakeoverArguments = Readonly<
  z.infer<typeof commandArguments.takeover>
>;

/** `expired`: it was not carried out in time, and never will be (L-42). */
export const commandStates = [
  ...(["waiting", "received", "done", "failed", "expired"] as const),
] as const;
export type CommandState = (typeof commandStates)[number];

/** A command for one screen; the player carries it out if it can and reports the result (L-11). */
const command = z.object({
  id: identifier,
  /** One of `commandKinds`; a player reports unknown ones as not done. */
  kind: z.string(),
  created_at: moment,
  /** Not carried out after this moment; services before this rule leave it out, then after ten minutes (L-42). */
  expires_at: moment.optional(),
  /** See `commandArguments`. */
  arguments: z.record(z.string(), z.json()).optional(),
});
export type LinkCommand = Readonly<z.infer<typeof command>>;

/** Somebody is looking at the screen for this long, unless the service extends it (L-66). */
const watched = z.object({
  /** Another one each time the player is asked to begin. */
  id: z.string().min(1).max(100),
  seconds: z.int().positive(),
});
export type LinkWatched = Readonly<z.infer<typeof watched>>;

/** 200 of `GET news?revision=REVISION&wait=SECONDS&watched=ID` and of `POST heartbeat` (L-7 to L-11, L-66). */
export const newsLink = z.object({
  screen,
  /** When it differs from the last one, the content or this screen has changed and should be synced. */
  revision: z.string(),
  commands: z.array(command),
  /** When the next heartbeat is expected. */
  heartbeat_in_seconds: z.int().positive(),
  /** The first and the longest pause after a socket could not be opened; left out by earlier services (L-47). */
  socket_retry_seconds: z
    .object({ first: z.int().positive(), longest: z.int().positive() })
    .optional(),
  /** Left out while nobody is looking at the screen (L-66). */
  watched: watched.optional(),
  /** How often the player sends a picture that has changed; left out: never (L-69). */
  picture_in_seconds: z.int().positive().optional(),
});
export type NewsLink = Readonly<z.infer<typeof newsLink>>;

/** A message of the service on `socket` (L-44). */
export const pushedNewsLink = newsLink.extend({
  /** Left out while it is as in the last message that had it. */
  screen: screen.optional(),
  /** A lost socket is opened again after a random part of this time. */
  reconnect_within_seconds: z.int().nonnegative(),
});
export type PushedNewsLink = Readonly<z.infer<typeof pushedNewsLink>>;

/** Counts of the items in the desired state of the screen, as the player reports them (L-33, V2-570). */
const itemCounts = z.object({
  wanted: z.int().nonnegative(),
  here: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});

/** The body of `POST heartbeat` (L-6, L-11, L-33). */
export const heartbeatLink = z.object({
  facts: facts.optional(),
  sync: z.enum(["in-sync", "syncing", "out-of-sync"]),
  /** Omitted by earlier players. */
  item_counts: itemCounts.optional(),
  /** Commands handled since the last acknowledged heartbeat. */
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
  /** Commands that are being carried out: `received` until they are in `done` (L-42). */
  received: z.array(identifier).max(100).optional(),
  /** Left out when it is the same as in the last acknowledged heartbeat (L-38). */
  report: screenReport.optional(),
});
export type HeartbeatLink = Readonly<z.infer<typeof heartbeatLink>>;

/** Maximum per request (L-12). */
export const maxPlaybacks = 1000;

const playback = z
  .object({
    /** Assigned by the player and never reused, for example a ULID. */
    id: identifier,
    asset_id: identifier,
    /** Null when it was in no playlist of the service. */
    playlist_id: identifier.nullable(),
    started_at: moment,
    ended_at: moment,
  })
  .refine(
    ({ started_at, ended_at }) =>
      Date.parse(started_at) <= Date.parse(ended_at),
    { path: ["ended_at"], error: "must not be before started_at" },
  );
export type LinkPlayback = Readonly<z.infer<typeof playback>>;

/** The body of `POST playbacks` (L-12). */
export const playbacksLink = z.object({
  playbacks: z.array(playback).max(maxPlaybacks),
});

/** 200 of `POST playbacks`: all of them are stored now, these many for the first time. */
export const keptPlaybacksLink = z.object({ stored: z.int().nonnegative() });

/** 200 of `GET apps/{installation_id}`: what the app's page receives (L-14). */
export const appLink = z.object({
  installation_id: identifier,
  app_id: identifier,
  name: z.string(),
  /** Of its channel; null while nothing is deployed. */
  revision: z.int().positive().nullable(),
  /** The address of its page, unless it is `index.html` among the files. */
  entrypoint: z.string().nullable(),
  ready_signal: z.boolean(),
  /** Path → id of the asset with its bytes. */
  files: z.record(z.string(), identifier),
  /** Values of the installation, else of the app, else the defaults; including secrets. */
  settings: z.record(z.string(), z.string()),
  /** Bearer credential with which the app requests tokens at `{base}/api/v3/edge-apps/oauth/tokens/`. */
  app_auth_token: z.string(),
});
export type AppLink = Readonly<z.infer<typeof appLink>>;

/** 200 of `GET site-keys`: what players of one team prove to each other that they are (L-53), the newest first. */
export const siteKeysLink = z.object({
  keys: z
    .array(
      z.object({
        /** Names the key without revealing it. */
        id: z.string().regex(/^[0-9a-f]{16}$/),
        /** 256 bits. */
        secret: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .min(1)
    .max(4),
});
export type SiteKeysLink = Readonly<z.infer<typeof siteKeysLink>>;

/** Maximum size of a screenshot in `PUT screenshot`: PNG, JPEG or WebP (L-13). */
export const maxScreenshotBytes = 8 * 1024 * 1024;
/** Longest side of a picture in `PUT live-picture`, and its size as WebP (L-67). */
export const livePictureLimits = { side: 960, bytes: 60 * 1024 } as const;
/** 200 of `PUT live-picture`: with 0, nobody is looking any more (L-66). */
export const livePictureLink = z.object({
  watched_seconds: z.int().nonnegative(),
});
/** Maximum size of a support bundle, a compressed archive (L-71). */
export const maxSupportBundleBytes = 10_000_000;
/** Maximum of `wait`; a longer one is shortened (L-9). */
export const maxWaitSeconds = 50;
