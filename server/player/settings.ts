// What the operator may change while the player runs: rows, and a word to the running parts when one changed.

import { settingFields, type Settings } from "../contract/v2/v2-settings.ts";
import type { Log } from "../platform/log.ts";
import type { Sqlite } from "../platform/sqlite/sqlite.ts";

export interface SettingsStore {
  all(): Settings;
  /** What is stored and not taken, why, by its name on the wire: its default counts instead. */
  validationErrors(): ReadonlyMap<string, string>;
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

  let validationErrors = new Map<string, string>();

  function read(): Settings {
    const stored = new Map(rows.all().map(({ name, value }) => [name, value]));
    validationErrors = new Map();
    // A value that an older or newer version wrote and this one does not take falls back to the default.
    return Object.fromEntries(
      Object.entries(settingFields).map(([name, field]) => {
        const text = stored.get(name);
        if (text === undefined) return [name, field.byDefault];
        const reading = field.readKept(JSON.parse(text));
        if ("value" in reading) return [name, reading.value];
        validationErrors.set(field.wireName, reading.sentence);
        return [name, field.byDefault];
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
    validationErrors: () => validationErrors,
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

/** Each stored value that is not taken, once in a run: else nobody learns why a key, say, does nothing (V2-367). */
export function reportValidationErrors(
  settings: Pick<SettingsStore, "validationErrors" | "onChanged">,
  reportFault: (name: string, reason: string) => void,
  log: Log,
): void {
  const reported = new Set<string>();
  function emit(): void {
    for (const [name, sentence] of settings.validationErrors()) {
      if (reported.has(name)) continue;
      reported.add(name);
      log.warn("setting.rejected", { name, reason: sentence });
      reportFault(
        name,
        `What is stored is not taken: ${sentence} Its default counts until it is set anew.`,
      );
    }
  }
  emit();
  // A restored backup may bring one, too.
  settings.onChanged(emit);
}
