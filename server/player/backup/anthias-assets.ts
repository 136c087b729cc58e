// Reads the peer's assets from its database, whichever of its releases wrote it.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import {
  extraFields,
  extrasFromV2,
  type Extras,
} from "../../contract/v2/v2-extras.ts";
import type { Reading } from "../../contract/reader.ts";
import {
  readBoolean,
  readDuration,
  readMoment,
  readPlayOrder,
} from "../../contract/v2/v2-values.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { examine, quoted } from "../../platform/sqlite/sqlite-copy.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import { plainId } from "./archive-check.ts";

export interface PeerAsset {
  /** Null when this player could not keep it. */
  readonly id: string | null;
  readonly name: string;
  /** An address, or a path into the peer's folder of assets. */
  readonly uri: string;
  readonly mimetype: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Null when the value is missing or invalid. */
  readonly durationSeconds: number | null;
  readonly isEnabled: boolean;
  readonly noCache: boolean;
  readonly skipAssetCheck: boolean;
  /** Only fields with a value; a value that this player would reject counts as missing (V2-118). */
  readonly extras: Partial<Extras>;
  /** The address a downloaded file came from. */
  readonly sourceUrl: string | null;
}

const columns = [
  "asset_id",
  "name",
  "uri",
  "mimetype",
  "start_date",
  "end_date",
  "duration",
  "is_enabled",
  "nocache",
  "play_order",
  "skip_asset_check",
  "metadata",
  "custom_headers",
  "refresh_interval_s",
  "play_days",
  "play_time_from",
  "play_time_to",
  "skip_ssl_verify",
] as const;

type PeerRow = Readonly<Partial<Record<(typeof columns)[number], unknown>>>;

/** In play order. Throws `corrupt`. */
export function readPeerAssets(
  file: string,
  options: SqliteOptions,
): readonly PeerAsset[] {
  return examine(file, options, (database) =>
    readRows(database)
      .map((row) => ({
        row,
        order: valueOf(readPlayOrder(row.play_order)) ?? 0,
      }))
      .sort((a, b) => a.order - b.order)
      .map(({ row }) => assetOfRow(row)),
  );
}

function readRows(database: Sqlite): readonly PeerRow[] {
  const isTable = database
    .prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'assets' AND sql LIKE 'CREATE TABLE%'",
    )
    .get();
  const present = database.pragma("table_xinfo(assets)") as {
    name: string;
    hidden: number;
  }[];
  // A generated column was not made by the peer, and could compute anything.
  if (!isTable || present.some(({ hidden }) => hidden !== 0))
    throw new OutsideError("corrupt", playerSentences["archive-no-table"]);
  database.pragma("ignore_check_constraints = ON");
  if (database.pragma("quick_check(assets)", { simple: true }) !== "ok")
    throw new OutsideError(
      "corrupt",
      playerSentences["archive-database-damaged"],
    );
  const known = columns.filter((column) =>
    present.some(({ name }) => name === column),
  );
  if (!known.includes("uri"))
    throw new OutsideError("corrupt", playerSentences["archive-table-format"]);
  return database
    .prepare<[], PeerRow>(`SELECT ${known.map(quoted).join()} FROM assets`)
    .all();
}

function assetOfRow(row: PeerRow): PeerAsset {
  const uri = withoutEntities(textOf(row.uri)).slice(
    0,
    assetLimits.addressLetters,
  );
  const id = textOf(row.asset_id);
  return {
    id: plainId.test(id) ? id : null,
    name: textOf(row.name).slice(0, 1000) || uri.slice(-100) || "Unnamed",
    uri,
    mimetype: textOf(row.mimetype).slice(0, 255),
    startsAt: valueOf(readMoment(row.start_date)),
    endsAt: valueOf(readMoment(row.end_date)),
    durationSeconds: valueOf(readDuration(row.duration)),
    isEnabled: valueOf(readBoolean(row.is_enabled)) ?? !("is_enabled" in row),
    noCache: valueOf(readBoolean(row.nocache)) ?? false,
    skipAssetCheck: valueOf(readBoolean(row.skip_asset_check)) ?? false,
    extras: extrasOfRow(row),
    sourceUrl: sourceUrlOf(textOf(row.metadata)),
  };
}

function extrasOfRow(row: PeerRow): Partial<Extras> {
  const body: Record<string, unknown> = {};
  for (const { wireName, read } of Object.values(extraFields)) {
    const raw = Object.hasOwn(row, wireName)
      ? row[wireName as keyof PeerRow]
      : undefined;
    const value = raw === undefined ? null : valueOf<unknown>(read(raw));
    if (value !== null) body[wireName] = value;
  }
  const { playsFrom = null, playsUntil = null, ...extras } = extrasFromV2(body);
  const isWindow = playsFrom !== null && playsUntil !== null;
  return isWindow && playsFrom !== playsUntil
    ? { ...extras, playsFrom, playsUntil }
    : extras;
}

function textOf(raw: unknown): string {
  const text = typeof raw === "string" ? raw : "";
  return text.replaceAll("\0", "").trim();
}

function valueOf<T>(reading: Reading<T>): T | null {
  return "value" in reading ? reading.value : null;
}

/** The peer stores an address with these characters escaped as HTML entities. */
function withoutEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replace(/&#(?:x27|39);/g, "'")
    .replaceAll("&amp;", "&");
}

function sourceUrlOf(metadata: string): string | null {
  try {
    const { source_url: url } = Object(JSON.parse(metadata)) as {
      source_url?: unknown;
    };
    return typeof url === "string" && /^https?:\/\//i.test(url) ? url : null;
  } catch {
    return null;
  }
}
