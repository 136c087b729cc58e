// Installed web apps: folders of web files, each file stored once by its hash, and their manifests.

import { readFile } from "node:fs/promises";
import type { AppOnScreen } from "../../contract/page-context.ts";
import {
  appDescriptionType,
  appType,
  type AssetFile,
} from "../../core/asset.ts";
import type { DesiredApp } from "../../core/sync-plan/desired-content.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { webTypeOf } from "./apps-web-types.ts";
import { appMemberType } from "../library/file-rows.ts";
import type { Library } from "../library/library.ts";

export interface Apps {
  /** Null when the bytes are not an archive. Throws a Failure on the field for an archive that is not an app. */
  arrive(archive: Aside, field: string): Promise<ArrivedApp | null>;
  /**
   * Stores an app that a sync describes and whose files are all stored, under the hash of its description; part of the transaction
   * it is called in.
   */
  describe(
    app: DesiredApp,
    description: Aside,
    hashOf: (md5: string) => string,
  ): void;
  /** The app that an asset shows; null when it is not stored here. */
  appOf(assetId: string): Promise<AppOnScreen | null>;
}

/** Secret settings of an app that only its own page may read, by the hash of the app. */
export type AppSecrets = (
  hash: string,
) => Promise<Readonly<Record<string, string>>>;

/** Bytes before rows: its files are stored first, then its rows. */
export interface ArrivedApp {
  readonly file: AssetFile;
  keep(): Promise<void>;
  note(): void;
  discard(): Promise<void>;
}

export interface AppsOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly store: FileStore;
  readonly secretsOf: AppSecrets;
}

interface AppRow {
  readonly entry_kind: string;
  readonly entry: string;
  readonly waits_for_signal: number;
  readonly settings: string;
}

interface AppFileRow {
  readonly path: string;
  readonly file_hash: string;
  readonly type: string;
}

/** A script of the app itself, injected into a remote page, which cannot include the runtime script. */
const injectedScript = "screenly_inject.js";

export function createApps(options: AppsOptions): Apps {
  const { database, library, store } = options;
  const addFile = database.prepare<[string, number, string]>(
    "INSERT INTO files (hash, size_bytes, type) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
  );
  const addApp = database.prepare<[string, string, string, number, string]>(
    `INSERT INTO apps (hash, entry_kind, entry, waits_for_signal, settings) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (hash) DO NOTHING`,
  );
  const addMember = database.prepare<[string, string, string, string]>(
    `INSERT INTO app_files (app_hash, path, file_hash, type) VALUES (?, ?, ?, ?)
     ON CONFLICT (app_hash, path) DO NOTHING`,
  );
  const oneApp = database.prepare<[string], AppRow>(
    "SELECT * FROM apps WHERE hash = ?",
  );
  const filesOf = database.prepare<[string], AppFileRow>(
    "SELECT path, file_hash, type FROM app_files WHERE app_hash = ?",
  );

  async function arrive(
    archive: Aside,
    field: string,
  ): Promise<ArrivedApp | null> {
    // Imported when the first bytes arrive: no start has to wait for it.
    const { unpackApp } = await import("./apps-unpack.ts");
    const unpacked = await unpackApp(archive, store, field);
    if (!unpacked) return null;
    const { manifest, members } = unpacked;
    const { entry, waitsForSignal, settings } = manifest;
    const file: AssetFile = {
      ...{ hash: archive.hash, sizeBytes: archive.sizeBytes, type: appType },
      ...{ lengthSeconds: null, problem: null },
    };
    const note = database.transaction(() => {
      addFile.run(file.hash, file.sizeBytes, file.type);
      addApp.run(
        file.hash,
        entry.kind,
        entry.kind === "file" ? entry.path : entry.url,
        Number(waitsForSignal),
        JSON.stringify(settings),
      );
      for (const { path, type, aside } of members) {
        addFile.run(aside.hash, aside.sizeBytes, appMemberType);
        addMember.run(file.hash, path, aside.hash, type);
      }
    });
    return {
      file,
      keep: async () => {
        for (const { aside } of members) await store.keep(aside);
      },
      note: () => note.immediate(),
      discard: async () => {
        for (const { aside } of members) await store.discard(aside);
      },
    };
  }

  const describe: Apps["describe"] = (app, { hash, sizeBytes }, hashOf) => {
    const { entry, waitsForSignal, settings, files } = app;
    addFile.run(hash, sizeBytes, appDescriptionType);
    addApp.run(
      ...([hash, entry.kind] as const),
      entry.kind === "file" ? entry.path : entry.url,
      Number(waitsForSignal),
      JSON.stringify(settings),
    );
    for (const { path, md5 } of files)
      addMember.run(hash, path, hashOf(md5), webTypeOf(path));
  };

  async function appOf(assetId: string): Promise<AppOnScreen | null> {
    const { file, metadata } = library.asset(assetId);
    const row = file ? oneApp.get(file.hash) : undefined;
    if (!file || !row) return null;
    const files = new Map(
      filesOf
        .all(file.hash)
        .map(({ path, file_hash: hash, type }) => [
          path,
          { path: store.pathOf(hash), type },
        ]),
    );
    const script = files.get(injectedScript);
    return {
      entry:
        row.entry_kind === "remote"
          ? {
              ...{ kind: "remote", url: row.entry },
              script: script ? await readFile(script.path, "utf8") : null,
            }
          : { kind: "file", path: row.entry },
      waitsForSignal: row.waits_for_signal === 1,
      settings: {
        ...(JSON.parse(row.settings) as Record<string, string>),
        ...(await options.secretsOf(file.hash)),
        ...ownSettings(metadata),
      },
      files,
    };
  }

  return { arrive, describe, appOf };
}

/** Settings that a client made for this installation are in the asset's metadata, and override the defaults (V2-188). */
function ownSettings(
  metadata: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const given = metadata["app_settings"];
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === "object" || value === undefined
        ? []
        : [[name, String(value)]],
    ),
  );
}
