// What the operator may change while the player runs: rows, and a word to the running parts when one changed.

import { settingFields, type Settings } from "../contract/v2-settings.ts";
import type { Sqlite } from "../platform/sqlite.ts";

export interface SettingsStore {
  all(): Settings;
  /** One transaction; what is not named stays. */
  change(change: Partial<Settings>): Settings;
  onChanged(listener: (settings: Settings) => void): () => void;
  /** Its rows were written by other means than these: reads them and says so. */
  readAgain(): void;
}

export function createSettings(database: Sqlite): SettingsStore {
  const listeners = new Set<(settings: Settings) => void>();
  const rows = database.prepare<[], { name: string; value: string }>(
    "SELECT name, value FROM settings",
  );
  const write = database.prepare(
    `INSERT INTO settings (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const writeAll = database.transaction((change: Partial<Settings>) => {
    for (const [name, value] of Object.entries(change))
      write.run(name, JSON.stringify(value));
  });

  function read(): Settings {
    const stored = new Map(rows.all().map(({ name, value }) => [name, value]));
    // A value that an older or newer version wrote and this one does not take falls back to the default.
    return Object.fromEntries(
      Object.entries(settingFields).map(([name, field]) => {
        const text = stored.get(name);
        if (text === undefined) return [name, field.byDefault];
        const reading = field.read(JSON.parse(text));
        return [name, "value" in reading ? reading.value : field.byDefault];
      }),
    ) as unknown as Settings;
  }

  function readAgain(): void {
    current = read();
    for (const listener of listeners) listener(current);
  }

  let current = read();
  return {
    all: () => current,
    change: (change) => {
      writeAll.immediate(change);
      readAgain();
      return current;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readAgain,
  };
}
