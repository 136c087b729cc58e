// The cloud as the engine sees it, whichever version it speaks.

import type { ScreenPart, SyncTrouble } from "../../../core/sync-state.ts";
import type { Wanted } from "../../../core/sync-wanted.ts";

/** What the cloud wants this screen to show at this moment. */
export interface Look {
  readonly wanted: Wanted;
  /** Where bytes lie now, by their MD5: several where assets share a file. Such addresses may hold for an hour alone. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** What only the pages of apps may know, by the MD5 of the app's description. */
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** What was left out, and why. */
  readonly troubles: readonly SyncTrouble[];
  /** Assets and playlists among those: they are there, and what was made of them before stays (V2-213, V2-545). */
  readonly unreadable: ReadonlySet<string>;
}

export interface Cloud {
  /** Null: nothing has changed since the last look. Throws a CloudTrouble. */
  look(part: ScreenPart): Promise<Look | null>;
  /** The next look is a whole one, with addresses that hold. */
  forget(): void;
}

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rows embedded in a row: none where it has no such list. */
export function rowsIn(row: Row, name: string): readonly Row[] {
  const value = row[name];
  if (Array.isArray(value)) return value.filter(isRow);
  return isRow(value) ? [value] : [];
}

export function textIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(row: Row, name: string): number | null {
  const value = row[name];
  const number =
    typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Identifiers become parts of ours, and of names of files: letters, digits, dashes. */
export function idIn(row: Row, name = "id"): string | null {
  const value = row[name];
  return typeof value === "string" && /^[\w-]{1,48}$/.test(value)
    ? value
    : null;
}
