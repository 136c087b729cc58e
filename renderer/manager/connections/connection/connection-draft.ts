// A connection as form fields, and which of them have changed.

import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";

export interface Draft {
  readonly name: string;
  readonly base_url: string;
  /** Empty keeps the current token. */
  readonly token: string;
  readonly version: string;
  readonly labels: string;
  readonly asset_groups: string;
  /** `off`, `library` or `rotation`. */
  readonly all_assets: string;
  readonly screen_id: string;
  readonly mode: string;
  readonly apply_at: string;
  readonly poll_seconds: string;
  /** In kilobytes per second. */
  readonly rate_limit: string;
  readonly download_from: string;
  readonly download_until: string;
  readonly proxy_url: string;
  readonly finish_current_item: boolean;
  readonly skip_ssl_verify: boolean;
}

export function draftOf(connection: SyncAccountV2): Draft {
  const { rate_limit: limit } = connection;
  return {
    ...{ name: connection.name, base_url: connection.base_url, token: "" },
    ...{ version: connection.version, labels: connection.labels.join(", ") },
    asset_groups: connection.asset_groups.join(", "),
    all_assets: connection.all_assets,
    ...{ screen_id: connection.screen_id ?? "", mode: connection.mode },
    apply_at: hour(connection.apply_at),
    poll_seconds: String(connection.poll_seconds),
    rate_limit: limit === null ? "" : String(Math.round(limit / 1000)),
    download_from: hour(connection.download_from),
    download_until: hour(connection.download_until),
    proxy_url: connection.proxy_url ?? "",
    finish_current_item: connection.finish_current_item,
    skip_ssl_verify: connection.skip_ssl_verify,
  };
}

/** `03:00:00` → `03:00`, as a form field shows it. */
function hour(time: string | null): string {
  return (time ?? "").slice(0, 5);
}

/** In the field names of the interface; unchanged fields are not sent. */
export function changesOf(
  connection: SyncAccountV2,
  draft: Draft,
): Readonly<Record<string, unknown>> {
  const before = draftOf(connection);
  const changed = (
    Object.entries(draft) as [keyof Draft, string | boolean][]
  ).filter(([name, value]) => value !== before[name]);
  return Object.fromEntries(
    changed.map(([name, value]) => [name, wireValue(name, value)]),
  );
}

const emptyIsNull: ReadonlySet<keyof Draft> = new Set([
  ...(["screen_id", "rate_limit", "download_from"] as const),
  ...(["download_until", "proxy_url"] as const),
]);

function wireValue(name: keyof Draft, value: string | boolean): unknown {
  if (value === "" && emptyIsNull.has(name)) return null;
  if (name === "rate_limit" && /^\d+$/.test(String(value).trim()))
    return Number(value) * 1000;
  return value;
}
