// A recovery: unpacked aside, examined whole, and only then switched to in one step.

import type { Readable } from "node:stream";
import {
  readArchive,
  type ArrivingMember,
} from "../../platform/archive/archive.ts";
import type { Aside } from "../../platform/files/file-part.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import type { Uploads } from "../files/uploads.ts";
import { assertRecoverable } from "./check.ts";
import { isPeers, unpackPeers } from "./peer.ts";
import { takeOverTables } from "./tables.ts";
import { isOurs, unpackOurs, type Unpacked } from "./unpack.ts";
import type { Workspace } from "./workspace.ts";

/** What it takes to unpack an archive of ours or of the peer. */
export interface UnpackAnyOptions {
  readonly database: Sqlite;
  readonly sqlite: SqliteOptions;
  readonly maxBytes: number;
  readonly makeId: () => string;
}

export interface RecoverOptions extends UnpackAnyOptions {
  readonly store: FileStore;
  readonly uploads: Uploads;
  /** Settles when the whole request is here; nothing is switched before. */
  readonly arrived: Promise<unknown>;
  /** Rows were taken over: whoever remembers some looks again. */
  readonly onRecovered: () => void;
}

/** Throws an OutsideError and has changed nothing, or the rows of the archive are those of this player. */
export async function recoverFrom(
  source: Readable,
  workspace: Workspace,
  options: RecoverOptions,
): Promise<void> {
  const unpacked = await unpack(source, workspace, options);
  assertRecoverable(unpacked, options.sqlite);
  await options.arrived;
  // Bytes before rows; what is kept without a row is swept when nobody holds it any more.
  const release = await options.uploads.hold();
  try {
    for (const aside of unpacked.files.values())
      await keep(options.store, aside);
    takeOverTables(options.database, unpacked.database);
    // In the same breath, so that nobody is answered from rows that are gone.
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
    throw new OutsideError(
      "corrupt",
      "This is neither a backup of this player nor one of Anthias.",
    );
  } finally {
    await members.return(undefined);
  }
}

async function keep(store: FileStore, aside: Aside): Promise<void> {
  // Windows does not replace a file that is being shown; the same bytes are there then.
  await store.keep(aside).catch((error: unknown) => {
    if (!store.has(aside.hash)) throw error;
  });
}
