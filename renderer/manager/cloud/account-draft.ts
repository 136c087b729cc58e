// An account as fields of a form, and what of them is other than it was.

import type { SyncAccountV2 } from "../../../server/contract/v2/v2-sync.ts";

export interface Draft {
  readonly name: string;
  readonly base_url: string;
  /** Empty keeps the one it has. */
  readonly token: string;
  readonly version: string;
  readonly labels: string;
  readonly asset_groups: string;
  readonly screen_id: string;
  readonly mode: string;
  readonly apply_at: string;
  readonly poll_seconds: string;
  /** In kilobytes a second. */
  readonly rate_limit: string;
  readonly download_from: string;
  readonly download_until: string;
  readonly proxy_url: string;
  readonly finish_current_item: boolean;
  readonly skip_ssl_verify: boolean;
}

export function draftOf(account: SyncAccountV2): Draft {
  const { rate_limit: limit } = account;
  return {
    ...{ name: account.name, base_url: account.base_url, token: "" },
    ...{ version: account.version, labels: account.labels.join(", ") },
    asset_groups: account.asset_groups.join(", "),
    ...{ screen_id: account.screen_id ?? "", mode: account.mode },
    apply_at: hour(account.apply_at),
    poll_seconds: String(account.poll_seconds),
    rate_limit: limit === null ? "" : String(Math.round(limit / 1000)),
    download_from: hour(account.download_from),
    download_until: hour(account.download_until),
    proxy_url: account.proxy_url ?? "",
    finish_current_item: account.finish_current_item,
    skip_ssl_verify: account.skip_ssl_verify,
  };
}

/** `03:00:00` → `03:00`, as a field of a form has it. */
function hour(time: string | null): string {
  return (time ?? "").slice(0, 5);
}

/** In the words of the interface; what is the same is not sent. */
export function changesOf(
  account: SyncAccountV2,
  draft: Draft,
): Readonly<Record<string, unknown>> {
  const before = draftOf(account);
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
