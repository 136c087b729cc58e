// What the operator may change while the player runs: rows with a schema, and a word when one changed.

import os from "node:os";
import { z } from "zod";
import type { Sqlite } from "../platform/sqlite.ts";

const settingsSchema = z.object({
  /** Shown on the house card and used in the names of backups. */
  playerName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default(() => os.hostname()),
});

export type Settings = z.infer<typeof settingsSchema>;

export interface SettingsStore {
  all(): Settings;
}

export function createSettings(database: Sqlite): SettingsStore {
  const rows = database.prepare<[], { name: string; value: string }>(
    "SELECT name, value FROM settings",
  );
  return {
    all: () =>
      settingsSchema.parse(
        Object.fromEntries(
          rows.all().map(({ name, value }) => [name, JSON.parse(value)]),
        ),
      ),
  };
}
