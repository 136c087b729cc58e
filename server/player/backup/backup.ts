// Backups: packs this player into archives, keeps the newest, and recovers from one.

import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import type { BackupContents } from "../../contract/ipc/ipc-pc.ts";
import type { Settings } from "../../contract/v2/v2-settings.ts";
import { Failure } from "../../core/failure.ts";
import { packArchive } from "../../platform/archive/archive.ts";
import {
  openFileStore,
  type FileStore,
} from "../../platform/files/file-store.ts";
import type { Place } from "../../platform/files/raw-path.ts";
import type { Log } from "../../platform/log.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { isFull } from "../../platform/sqlite/sqlite-copy.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import type { Uploads } from "../files/uploads.ts";
import { examineArchive } from "./archive-contents.ts";
import { archiveName } from "./archive-name.ts";
import { recoverFrom } from "./recover.ts";
import { createShelf, type Shelf } from "./archive-folder.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";
import { openWorkspaces, type Workspace } from "./workspace.ts";
import { flushFolder, moveFile } from "../../platform/files/replace-file.ts";

export interface Backups extends Pick<Shelf, "list" | "pathOf" | "remove"> {
  /** Packs the current state; returns the archive's name. Older archives beyond the setting are deleted, except the spared one. */
  create(spared?: string): Promise<string>;
  /** The same, packed while it is read; nothing of it stays on disk. */
  stream(): Promise<{ readonly name: string; readonly content: Readable }>;
  /**
   * Examines the whole archive and then replaces this player's content with it, in one step. Throws a Failure about `field`, and
   * `conflict` while another recovery is under way; nothing has changed then.
   */
  recover(
    source: Readable,
    field: string,
    arrived: Promise<unknown>,
  ): Promise<void>;
  /**
   * Recovers from the archive in this file, after a backup of the state before, whose name it returns. If it is a stored archive,
   * its name is given too, so that the new one does not replace it.
   */
  restore(file: Place, field: string, name?: string): Promise<string>;
  /**
   * Contents of the archive, examined completely as for a recovery; changes nothing. Throws `unavailable` while too many are being
   * examined.
   */
  examine(source: Readable, field: string): Promise<BackupContents>;
}

export interface BackupsOptions {
  readonly dir: string;
  readonly database: Sqlite;
  readonly sqlite: SqliteOptions;
  /** The database is copied by its path: resolves when its file there is the open one. */
  readonly keepInPlace: () => Promise<unknown>;
  readonly store: FileStore;
  readonly uploads: Uploads;
  readonly log: Log;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly version: string;
  readonly reserveBytes: number;
  /** Maximum unpacked size of an archive. */
  readonly maxBytes: number;
  readonly playerName: () => string;
  readonly settings: () => Settings;
  /** Number of archives to keep. */
  readonly kept: () => number;
  /** A stored file is missing or damaged: it is checked at once (V2-751). */
  readonly suspectFile: (hash: string) => void;
  /** Rows were replaced: caches have to be read again. */
  readonly onRecovered: () => void;
  /** An archive was added or deleted. */
  readonly onChanged: () => void;
}

/** Each unpacks a whole archive: more at once only compete for the disk. */
const maxExamined = 4;

export async function createBackups(options: BackupsOptions): Promise<Backups> {
  const { dir, uploads, log, now } = options;
  // A disk that rejects it has no backups, and gets the folder with the first one (V2-753).
  await mkdir(dir, { recursive: true }).catch((error: unknown) =>
    log.warn("backup.folder-not-created", { error }),
  );
  const shelf = createShelf(dir);
  const workspaces = await openWorkspaces(
    path.join(dir, "aside"),
    options.reserveBytes,
  );
  const rotten = new Set<string>();
  let isRecovering = false;
  let examined = 0;
  // One archive at a time: two would only compete for the disk.
  let lastTask: Promise<unknown> = Promise.resolve();

  async function snapshot(
    workspace: Workspace,
    moment: number,
  ): Promise<Snapshot> {
    await options.keepInPlace();
    return takeSnapshot(workspace, {
      ...options,
      databaseFile: options.database.name,
      playerName: options.playerName(),
      moment,
      rotten,
    });
  }

  async function create(spared?: string): Promise<string> {
    const moment = now();
    // Reserved inside the queue, so that no other task takes the name before the archive exists.
    const name = archiveName(options.playerName(), moment, shelf.has);
    const release = await uploads.hold();
    try {
      const sizeBytes = await inWorkspace((workspace) =>
        pack(workspace, name, moment),
      );
      log.info("backup.created", { name, sizeBytes });
    } catch (error) {
      throw asFailure(error);
    } finally {
      release();
    }
    const stay = spared === undefined ? [name] : [name, spared];
    for (const gone of await shelf.prune(stay, options.kept()))
      log.info("backup.pruned", { name: gone });
    options.onChanged();
    return name;
  }

  async function inWorkspace<T>(
    act: (workspace: Workspace) => Promise<T>,
  ): Promise<T> {
    const workspace = await workspaces.open();
    try {
      return await act(workspace);
    } finally {
      await workspace.clear();
    }
  }

  async function pack(
    workspace: Workspace,
    name: string,
    moment: number,
  ): Promise<number> {
    const aside = await openFileStore(path.join(workspace.dir, "packed"), {
      reserveBytes: options.reserveBytes,
    });
    for (;;) {
      const rottenBefore = rotten.size;
      try {
        const { members, sizeBytes } = await snapshot(workspace, moment);
        await workspace.assertDiskSpaceFor(sizeBytes);
        const packed = await aside.receive(
          packArchive(members(), moment),
          Number.MAX_SAFE_INTEGER,
        );
        await moveFile(packed.path, path.join(dir, name));
        await flushFolder(dir);
        return packed.sizeBytes;
      } catch (error) {
        // A file that was damaged on disk is left out, and the rest is backed up.
        if (rotten.size === rottenBefore) throw error;
        log.error("backup.file-corrupt", { error });
      }
    }
  }

  async function stream(): ReturnType<Backups["stream"]> {
    const moment = now();
    const name = archiveName(options.playerName(), moment, () => false);
    const workspace = await workspaces.open();
    const release = await uploads.hold();
    const end = (): void => {
      release();
      workspace.clear().catch((error: unknown) => {
        log.error("backup.cleanup-failed", { error });
      });
    };
    try {
      const { members } = await snapshot(workspace, moment);
      const content = packArchive(members(), moment);
      content.once("close", end).on("error", (error) => {
        log.error("backup.aborted", { error });
      });
      return { name, content };
    } catch (error) {
      end();
      throw asFailure(error);
    }
  }

  async function recover(
    source: Readable,
    field: string,
    arrived: Promise<unknown>,
  ): Promise<void> {
    assertIdle();
    isRecovering = true;
    try {
      await inWorkspace((workspace) =>
        recoverFrom(source, workspace, { ...options, arrived }),
      );
      log.info("backup.recovered");
    } catch (error) {
      throw asFailure(error, field);
    } finally {
      isRecovering = false;
    }
  }

  function assertIdle(): void {
    if (isRecovering)
      throw new Failure("conflict", playerSentences["restore-busy"]);
  }

  function createQueued(spared?: string): Promise<string> {
    const created = lastTask.then(() => create(spared));
    lastTask = created.catch(() => undefined);
    return created;
  }

  async function restore(
    file: Place,
    field: string,
    name?: string,
  ): Promise<string> {
    assertIdle();
    const undo = await createQueued(name);
    await recover(createReadStream(file), field, Promise.resolve());
    return undo;
  }

  async function examine(
    source: Readable,
    field: string,
  ): Promise<BackupContents> {
    if (examined >= maxExamined)
      throw new Failure(
        "unavailable",
        composeSentence(playerSentences["examine-limit"], {
          limit: maxExamined,
        }),
      );
    examined += 1;
    try {
      return await inWorkspace((workspace) =>
        examineArchive(source, workspace, options, options.settings()),
      );
    } catch (error) {
      throw asFailure(error, field);
    } finally {
      examined -= 1;
    }
  }

  return {
    create: createQueued,
    stream,
    list: shelf.list,
    pathOf: shelf.pathOf,
    remove: async (name) => {
      await shelf.remove(name);
      options.onChanged();
    },
    recover,
    restore,
    examine,
  };
}

function asFailure(error: unknown, field?: string): unknown {
  if (isFull(error))
    return new Failure("no-space", playerSentences["disk-full"]);
  if (!(error instanceof OutsideError)) return error;
  const fields = field === undefined ? undefined : { [field]: [error.message] };
  switch (error.kind) {
    case "no-space":
      return new Failure("no-space", error.message, fields);
    case "too-large":
      return new Failure("too-large", error.message, fields);
    case "broken-off":
    case "corrupt":
      return fields ? new Failure("invalid", error.message, fields) : error;
    case "address-in-use":
      return error;
  }
}
