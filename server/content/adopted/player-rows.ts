// Reads what an Anthias player answers, in the shapes of version 2 and as its releases differ from them (V3-112).

import * as z from "zod";
import type { PlayerFactsV3 } from "../../contract/v3/v3-adopted.ts";
import { cutText } from "../../core/text-limit.ts";

export interface RemoteAsset {
  readonly id: string;
  readonly name: string;
  /** Null where it has no date, or none that can be read. */
  readonly startsAt: number | null;
  readonly durationSeconds: number | null;
  readonly mimetype: string;
  readonly isEnabled: boolean;
  readonly playOrder: number;
  /** Why the player cannot show it, as it says. */
  readonly problem: string | null;
}

/** The interface specifies `is_active` as text and returns a boolean; `is_enabled` was 0 or 1 in early releases. */
const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .nullish()
  .transform((value) => value === true || /^(1|true)$/i.test(String(value)));

const asset = z.looseObject({
  asset_id: z.string().min(1).max(200),
  name: z.string().nullish().catch(null),
  start_date: z.string().nullish().catch(null),
  duration: z.coerce.number().nullish().catch(null),
  mimetype: z.string().nullish().catch(null),
  is_enabled: flag.catch(false),
  play_order: z.coerce.number().catch(0),
  metadata: z
    .looseObject({ error_message: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** Longer lists are of no player that a person maintains by hand. */
const maxAssets = 5_000;
const maxReason = 200;

/** Null for anything but a list of assets. */
export function assetsFrom(json: unknown): readonly RemoteAsset[] | null {
  const reading = z.array(asset).max(maxAssets).safeParse(json);
  return reading.success ? reading.data.map(remoteAsset) : null;
}

export function assetFrom(json: unknown): RemoteAsset | null {
  const reading = asset.safeParse(json);
  return reading.success ? remoteAsset(reading.data) : null;
}

function remoteAsset(row: z.infer<typeof asset>): RemoteAsset {
  const startsAt = Date.parse(row.start_date ?? "");
  const problem = row.metadata?.error_message?.trim();
  return {
    ...{ id: row.asset_id, name: row.name ?? "" },
    startsAt: Number.isNaN(startsAt) ? null : startsAt,
    durationSeconds: row.duration ?? null,
    ...{ mimetype: row.mimetype ?? "", isEnabled: row.is_enabled },
    playOrder: row.play_order,
    problem: problem ? cutText(problem, maxReason) : null,
  };
}

const uploaded = z.object({
  uri: z.string().min(1).max(4000),
  ext: z.string().max(100).nullish().catch(null),
});
export type UploadedFile = Readonly<z.infer<typeof uploaded>>;

export function uploadedFrom(json: unknown): UploadedFile | null {
  const reading = uploaded.safeParse(json);
  return reading.success ? reading.data : null;
}

export const noFacts: PlayerFactsV3 = {
  ...{ version: null, model: null, free_space: null, load_average: null },
  ...{ uptime_seconds: null, display_power: null },
};

const short = z
  .union([z.string(), z.number()])
  .transform((value) => cutText(String(value).trim(), 100) || null)
  .nullish()
  .catch(null);
const amount = z.coerce.number().nonnegative().finite();

const info = z.looseObject({
  version: short,
  anthias_version: short,
  device_model: short,
  free_space: short,
  loadavg: z
    .union([amount, z.array(amount)])
    .nullish()
    .catch(null),
  uptime: z
    .union([amount, z.looseObject({ days: amount, hours: amount })])
    .nullish()
    .catch(null),
  display_power: z.unknown(),
});

/** What `GET /api/v2/info` of a player tells beyond the specification. */
export function factsFrom(json: unknown): PlayerFactsV3 {
  const reading = info.safeParse(json);
  if (!reading.success) return noFacts;
  const { loadavg, uptime, ...reported } = reading.data;
  const load = Array.isArray(loadavg) ? loadavg.at(-1) : loadavg;
  return {
    version: reported.version ?? reported.anthias_version ?? null,
    model: reported.device_model ?? null,
    free_space: reported.free_space ?? null,
    load_average: load ?? null,
    uptime_seconds:
      uptime == null
        ? null
        : Math.round(
            typeof uptime === "number"
              ? uptime
              : uptime.days * 86_400 + uptime.hours * 3_600,
          ),
    display_power: powerOf(reported.display_power),
  };
}

/** Anthias returns `True`, `False`, or why it does not know. */
function powerOf(reported: unknown): PlayerFactsV3["display_power"] {
  const word = typeof reported === "boolean" ? String(reported) : reported;
  if (typeof word !== "string") return null;
  if (/^(true|on)$/i.test(word)) return "on";
  return /^(false|off|standby)$/i.test(word) ? "off" : null;
}
