// Recovery from an archive: unpacks it to temporary files, examines all of it, and only then switches over in one step.

import type { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import {
  readArchive,
  type ArrivingMember,
} from "../../platform/archive/archive.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import type { Uploads } from "../files/uploads.ts";
import { assertRecoverable } from "./archive-check.ts";
import { isPeers, unpackPeers } from "./anthias-archive.ts";
import { takeOverTables } from "./tables.ts";
import { isOurs, unpackOurs, type Unpacked } from "./unpack.ts";
import type { Workspace } from "./workspace.ts";

/** Options for unpacking an archive of this player or of the peer. */
export interface UnpackAnyOptions {
  readonly database: Sqlite;
  readonly sqlite: SqliteOptions;
  readonly maxBytes: number;
  readonly makeId: () => string;
}

export interface RecoverOptions extends UnpackAnyOptions {
  readonly store: FileStore;
  readonly uploads: Uploads;
  /** Resolves when the whole request has arrived; nothing is switched before. */
  readonly arrived: Promise<unknown>;
  /** Rows were replaced: caches have to be read again. */
  readonly onRecovered: () => void;
}

/** Either throws an OutsideError and has changed nothing, or this player has the rows of the archive. */
export async function recoverFrom(
  source: Readable,
  workspace: Workspace,
  options: RecoverOptions,
): Promise<void> {
  const unpacked = await unpack(source, workspace, options);
  assertRecoverable(unpacked, options.sqlite);
  await options.arrived;
  // Bytes before rows; bytes stored without a row are swept once the hold is released.
  const release = await options.uploads.hold();
  try {
    for (const aside of unpacked.files.values())
      await keep(options.store, aside);
    takeOverTables(options.database, unpacked.database);
    // Synchronously after the switch, so that no request is answered from rows that are gone.
    options.onRecovered();
  } finally {
    release();
  }
}

export async function unpack(
  source: Readable,
  workspace: Workspace,
  options: UnpackAnyOptions,
): Promise<Unpacked> {
  const members = readArchive(source);
  try {
    const { value: first } = (await members.next()) as {
      value: ArrivingMember | undefined;
    };
    if (first && isOurs(first))
      return await unpackOurs(first, members, { ...options, workspace });
    if (first && isPeers(first))
      return await unpackPeers(first, members, { ...options, workspace });
    throw new OutsideError("corrupt", playerSentences["archive-neither"]);
  } finally {
    await members.return(undefined);
  }
}

async function keep(store: FileStore, aside: Aside): Promise<void> {
  // Windows does not replace a file that is being shown; the existing bytes are the same then.
  await store.keep(aside).catch((error: unknown) => {
    if (!store.has(aside.hash)) throw error;
  });
}
