// Examines an archive before anything is changed: unpacks it to a temporary folder, checks it as for a recovery, reports its
// contents, and deletes the folder.

import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { BackupContents } from "../../contract/ipc/ipc-pc.ts";
import { settingsToV2, type Settings } from "../../contract/v2/v2-settings.ts";
import { kindOf } from "../../core/asset.ts";
import { planHostEnding } from "../../core/sync-plan/sync-state.ts";
import { examine } from "../../platform/sqlite/sqlite-copy.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import { createLibrary } from "../library/library.ts";
import { createPlaylists } from "../playlists/playlists.ts";
import { createSettings } from "../settings.ts";
import { createSyncRows } from "../sync/store/sync-rows.ts";
import { assertRecoverable } from "./archive-check.ts";
import { unpack, type UnpackAnyOptions } from "./recover.ts";
import type { Unpacked } from "./unpack.ts";
import type { Workspace } from "./workspace.ts";

/** Throws the OutsideError that a recovery would throw. */
export async function examineArchive(
  source: Readable,
  workspace: Workspace,
  options: UnpackAnyOptions,
  now: Settings,
): Promise<BackupContents> {
  const unpacked = await unpack(source, workspace, options);
  assertRecoverable(unpacked, options.sqlite);
  return contentsOf(unpacked, options.sqlite, now);
}

function contentsOf(
  { database, files, madeBy }: Unpacked,
  sqlite: SqliteOptions,
  now: Settings,
): BackupContents {
  return examine(database, sqlite, (opened): BackupContents => {
    const owner = { database: opened, now: () => 0, makeId: () => "" };
    return {
      maker: madeBy === null ? "anthias" : "vitrine",
      madeBy,
      assets: createLibrary(owner)
        .assets()
        .map((asset) => ({
          ...{ name: asset.name, kind: kindOf(asset) },
          ...{ isEnabled: asset.isEnabled, problem: asset.problem },
        })),
      playlists: createPlaylists(owner)
        .all()
        .map(({ name }) => name),
      connections: createSyncRows(opened).connections().flatMap(cloudOf),
      filesCount: files.size,
      sizeBytes: [...files.values()].reduce(
        (sum, { sizeBytes }) => sum + sizeBytes,
        0,
      ),
      settings: differences(now, settingsIn(opened)),
    };
  });
}

const stored = z.object({
  name: z.string().catch(""),
  baseUrl: z.string().refine((text) => URL.canParse(text)),
  isEnabled: z.boolean().catch(false),
});

/** No service is contacted for the origin that an offline bundle states (V2-385), nor for a connection without an address. */
function cloudOf({
  id,
  value,
}: {
  id: string;
  value: unknown;
}): BackupContents["connections"] {
  const reading = stored.safeParse(value);
  if (!reading.success) return [];
  const { name, baseUrl, isEnabled } = reading.data;
  const { origin, hostname } = new URL(baseUrl);
  return hostname.endsWith(planHostEnding)
    ? []
    : [{ id, name, origin, isEnabled }];
}

function settingsIn(database: Sqlite): Settings {
  return createSettings(database).all();
}

function differences(
  now: Settings,
  then: Settings,
): BackupContents["settings"] {
  const before = settingsToV2(now);
  return Object.entries(settingsToV2(then))
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
    .map(([name, value]) => ({ name, now: before[name], then: value }));
}
