// Settings that the operator changes while the player runs: rows, and notifications when one has changed.

import { settingFields, type Settings } from "../contract/v2/v2-settings.ts";
import { sentenceFor } from "../contract/field-error.ts";
import type { Log } from "../platform/log.ts";
import type { Sqlite } from "../platform/sqlite/sqlite.ts";

export interface SettingsStore {
  all(): Settings;
  /** Reasons for stored values that are invalid, by name on the wire: their defaults apply instead. */
  validationErrors(): ReadonlyMap<string, string>;
  /** One transaction; settings that are not named stay. */
  change(change: Partial<Settings>): Settings;
  onChanged(listener: (settings: Settings) => void): () => void;
  /** The rows were written by other means: reads them again and notifies listeners. */
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
    // A value that an older or newer version wrote and this one rejects falls back to the default.
    return Object.fromEntries(
      Object.entries(settingFields).map(([name, field]) => {
        const text = stored.get(name);
        if (text === undefined) return [name, field.byDefault];
        const reading = field.readKept(JSON.parse(text));
        if ("value" in reading) return [name, reading.value];
        validationErrors.set(
          field.wireName,
          sentenceFor(field.wireName, reading.sentence),
        );
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

/**
 * Logs each stored value that is invalid, once per run: otherwise it would never be known why, for example, a key does nothing
 * (V2-367).
 */
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
        `The stored value is not valid, so the default applies: ${sentence}.`,
      );
    }
  }
  emit();
  // A recovered backup may contain invalid values, too.
  settings.onChanged(emit);
}
