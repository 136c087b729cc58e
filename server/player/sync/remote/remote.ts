// The cloud as the engine sees it, whichever version it speaks.

import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import type { ScreenPart } from "../../../core/sync-state.ts";

/** What a content service wants this screen to have at this moment. */
export type Look = DesiredState;

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
