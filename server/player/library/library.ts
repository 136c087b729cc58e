// Library: assets and uploads in SQLite, in play order; notifies listeners of changes.

import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { plainExtras, type Extras } from "../../contract/v2/v2-extras.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import { freeName, numberedNames } from "../../core/unique-name.ts";
import type { Asset, AssetFile } from "../../core/asset.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../event-emitter.ts";
import { extrasToText, withExtras } from "./asset-extras.ts";
import {
  assetFromRow,
  columnsFromChange,
  noFile,
  rowFromAsset,
  type AssetRow,
  type Columns,
} from "./asset-row.ts";
import { createFileRows, type FileRows } from "./file-rows.ts";
import type { LibraryChange } from "./library-change.ts";
import { createAssetCache } from "./asset-cache.ts";

/** Fields given by the caller; the library sets the rest. */
export interface AssetDraft extends Pick<
  Asset,
  | "name"
  | "uri"
  | "mimetype"
  | "startsAt"
  | "endsAt"
  | "durationSeconds"
  | "isEnabled"
> {
  /** A new identifier by default; no other asset has it. */
  readonly id?: string | undefined;
  readonly noCache?: boolean | undefined;
  readonly skipAssetCheck?: boolean | undefined;
  /** Its bytes are still to be downloaded. */
  readonly isProcessing?: boolean | undefined;
  /** The value that the client sent for it (V2-402). */
  readonly processingSent?: boolean | undefined;
  /** Stored as sent; without one the asset is appended (V2-13). */
  readonly playOrder?: number | undefined;
  readonly extras?: Partial<Extras> | undefined;
}

/** The fields a change may set; an omitted field stays as it is, so that concurrent changes of other fields are kept (V2-12). */
export type AssetChange = {
  readonly [
    Field in
      | "name"
      | "startsAt"
      | "endsAt"
      | "durationSeconds"
      | "isEnabled"
      | "processingSent"
      | "noCache"
      | "skipAssetCheck"
      | "playOrder"
  ]?: Asset[Field] | undefined;
} & { readonly extras?: Partial<Extras> | undefined };

/** Source of an asset's content: the token of an upload, or an address. */
export interface SourceDraft {
  readonly uri: string;
  /** Its bytes are still to be downloaded. */
  readonly isProcessing: boolean;
}

export interface Library {
  /** All assets, in play order. */
  assets(): readonly Asset[];
  /** Throws `not-found`. */
  asset(id: string): Asset;
  find(id: string): Asset | undefined;
  has(id: string): boolean;
  /** In one transaction: makes the name unique, claims the upload, keeps the order. */
  create(draft: AssetDraft): Asset;
  change(id: string, change: AssetChange): Asset;
  /** Puts another file or address into the same asset. Returns the hashes that no row needs any more. */
  replaceSource(id: string, source: SourceDraft): readonly string[];
  /** Returns the hashes that no row needs any more; their bytes may be deleted. */
  remove(id: string): readonly string[];
  /** In one transaction: the listed assets come first in that order, the others follow in theirs (V2-24). */
  order(ids: readonly string[]): void;
  addUpload(token: string, file: AssetFile): void;
  /** The file of an upload that waits to be claimed; null where there is none. */
  waitingUpload(token: string): AssetFile | null;
  /** Deletes an upload that waits to be claimed; returns the hashes that no row needs any more, or null where there is none. */
  dropUpload(token: string): readonly string[] | null;
  /** Deletes uploads that were not claimed in time; returns the hashes that no row needs any more. */
  dropUploads(receivedBefore: number): readonly string[];
  file(hash: string): AssetFile | null;
  /** The bytes of a remote asset have been downloaded; false when no asset has this address any more. */
  attachFile(from: Remote, file: AssetFile): boolean;
  /** The bytes of a remote asset cannot be downloaded, for this reason. */
  endProcessing(from: Remote, problem: string): void;
  /** Stores the server's validator of the file, so that the download can be resumed. */
  noteFetch(id: string, validator: string | null): void;
  fetchValidator(id: string): string | null;
  /** Stores why an asset cannot be shown, or clears the problem. */
  setProblem(id: string, problem: string | null): void;
  onChanged(listener: (change: LibraryChange) => void): () => void;
  /** Part of the transaction it is called in: returns the hashes that no row needs any more. */
  dropUnneeded(): readonly string[];
  /** Notifies listeners that the tables were written by other means; with the ids where they are known. */
  notifyChanged(ids?: readonly string[]): void;
  /** Notifies listeners that the row of a file was written by other means. */
  notifyFileChanged(hash: string): void;
}

export interface LibraryOptions {
  readonly database: Sqlite;
  readonly now: () => number;
  /** 32 random lower-case hex digits. */
  readonly makeId: () => string;
  readonly edits?: AssetEdits | undefined;
}

/** Notified of what a person does to assets, within the transaction (V2-560). */
export interface AssetEdits {
  /** `requestedName`: the name that was sent, where a different one was given. */
  assetChanged(before: Asset, after: Asset, requestedName?: string): void;
  sourceReplaced(assetId: string): void;
  deleted(kind: "asset", id: string): void;
}

/** With the file extension that API responses add, and without (V2-585). */
const uploadUri = /^upload:([0-9a-f]{32})(?:\.[a-z0-9]{1,10})?$/;

/** The address a client sends back to claim its upload (V2-15). */
export function uriOfUpload(token: string): string {
  return `upload:${token}`;
}

export function tokenOfUri(uri: string): string | null {
  return uploadUri.exec(uri)?.[1] ?? null;
}

/** The `mimetype` of an asset with bytes of this type: `image`, `video` or `audio`, else the type itself. */
export function mimetypeOf(type: string): string {
  return /^(?:image|video|audio)(?=\/)/.exec(type)?.[0] ?? type;
}

const selectAsset = `
  SELECT assets.*, files.size_bytes, files.type, files.length_seconds, files.problem AS file_problem,
    files.remark AS file_remark, files.is_damaged
  FROM assets LEFT JOIN files ON files.hash = assets.file_hash`;

export function createLibrary(options: LibraryOptions): Library {
  const { database, now, makeId, edits } = options;
  const changed = createAnnouncement<LibraryChange>();

  const all = database.prepare<[], AssetRow>(
    `${selectAsset} ORDER BY play_order, created`,
  );
  const one = database.prepare<[string], AssetRow>(
    `${selectAsset} WHERE id = ?`,
  );
  const before = database
    .prepare<[string], string>(
      `SELECT other.id FROM assets AS one JOIN assets AS other
         ON (other.play_order, other.created) < (one.play_order, one.created)
       WHERE one.id = ? ORDER BY other.play_order DESC, other.created DESC LIMIT 1`,
    )
    .pluck();
  const idsOfFile = database
    .prepare<[string], string>("SELECT id FROM assets WHERE file_hash = ?")
    .pluck();
  const nameTaken = database
    .prepare<[string], number>("SELECT 1 FROM assets WHERE name = ?")
    .pluck();
  const numbered = database
    .prepare<[string, string], string>(
      "SELECT name FROM assets WHERE name >= ? AND name < ?",
    )
    .pluck();
  const lastOrder = database
    .prepare<[], number | null>("SELECT max(play_order) FROM assets")
    .pluck();
  const shiftPositions = database.prepare<[number, string]>(
    "UPDATE assets SET play_order = play_order + 1 WHERE play_order >= ? AND id <> ?",
  );
  const insert = database.prepare(
    `INSERT INTO assets (id, name, uri, mimetype, starts_at, ends_at, duration_seconds, is_enabled,
       is_processing, processing_sent, no_cache, skip_asset_check, play_order, file_hash, extras)
     VALUES (:id, :name, :uri, :mimetype, :starts_at, :ends_at, :duration_seconds, :is_enabled,
       :is_processing, :processing_sent, :no_cache, :skip_asset_check, :play_order, :file_hash, :extras)`,
  );
  const prepareUpdate = (set: string) =>
    database.prepare<(string | number | null)[]>(
      `UPDATE assets SET ${set} WHERE id = ?`,
    );
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>();
  /** Only the columns that were sent: concurrent changes of different fields are both kept, and no index is updated needlessly. */
  function writeColumns(id: string, values: Columns): void {
    const set = [...values.keys()].map((column) => `${column} = ?`).join();
    if (set === "") return;
    const update = updates.get(set) ?? prepareUpdate(set);
    updates.set(set, update);
    update.run(...values.values(), id);
  }
  const files = createFileRows(database);
  const fetches = createFetchRows(database, files);
  const assetCache = createAssetCache({
    readAll: () => all.all().map(assetFromRow),
    read: (id) => {
      const row = one.get(id);
      return row ? assetFromRow(row) : null;
    },
    readBefore: (id) => before.get(id) ?? null,
  });

  function asset(id: string): Asset {
    const row = one.get(id);
    if (!row) throw notFound(id);
    return assetFromRow(row);
  }

  /** The name itself, else with `-1`, `-2` … appended (V2-16). */
  function uniqueName(requestedName: string): string {
    if (nameTaken.get(requestedName) === undefined) return requestedName;
    const taken = numbered.all(...numberedNames(requestedName));
    return freeName(requestedName, new Set([requestedName, ...taken]));
  }

  function claim(uri: string): string | null {
    const token = tokenOfUri(uri);
    if (token === null) return null;
    const hash = files.claim(token);
    if (hash === undefined)
      throw fieldFailure("uri", playerSentences["upload-token-unknown"]);
    return hash;
  }

  const create = database.transaction((draft: AssetDraft): Asset => {
    const id = draft.id ?? makeId();
    const playOrder = draft.playOrder ?? (lastOrder.get() ?? -1) + 1;
    const row: AssetRow = {
      ...noFile,
      id,
      name: uniqueName(draft.name),
      uri: draft.uri,
      mimetype: draft.mimetype,
      starts_at: draft.startsAt,
      ends_at: draft.endsAt,
      duration_seconds: draft.durationSeconds,
      is_enabled: Number(draft.isEnabled),
      is_processing: Number(draft.isProcessing ?? false),
      processing_sent:
        draft.processingSent === undefined
          ? null
          : Number(draft.processingSent),
      no_cache: Number(draft.noCache ?? false),
      skip_asset_check: Number(draft.skipAssetCheck ?? false),
      play_order: playOrder,
      file_hash: claim(draft.uri),
      extras: extrasToText(withExtras(plainExtras, draft.extras)),
    };
    insert.run(row);
    if (draft.playOrder !== undefined) shiftPositions.run(playOrder, id);
    // The written values are known; only those of its file have to be read.
    return row.file_hash === null ? assetFromRow(row) : asset(id);
  });

  const change = database.transaction(
    (id: string, changes: AssetChange): Asset => {
      const before = assetCache.get(id);
      if (!before) throw notFound(id);
      const name =
        changes.name === undefined || changes.name === before.name
          ? undefined
          : uniqueName(changes.name);
      const columns = columnsFromChange({ ...changes, name }, before);
      writeColumns(id, columns);
      if (
        changes.playOrder !== undefined &&
        changes.playOrder !== before.playOrder
      )
        shiftPositions.run(changes.playOrder, id);
      const after = assetFromRow({
        ...rowFromAsset(before),
        ...Object.fromEntries(columns),
      });
      edits?.assetChanged(before, after, changes.name);
      return after;
    },
  );

  const replaceSource = database.transaction(
    (id: string, { uri, isProcessing }: SourceDraft): readonly string[] => {
      const before = asset(id);
      const hash = claim(uri);
      const file = hash === null ? null : files.file(hash);
      writeColumns(
        id,
        new Map<string, string | number | null>([
          ["uri", uri],
          ["mimetype", file ? mimetypeOf(file.type) : before.mimetype],
          ["file_hash", hash],
          ["is_processing", Number(isProcessing)],
          ["processing_sent", null],
          ["problem", null],
          ["fetch_validator", null],
        ]),
      );
      edits?.sourceReplaced(id);
      return files.dropUnneeded();
    },
  );

  const remove = database.transaction((id: string): readonly string[] => {
    const { changes } = database
      .prepare("DELETE FROM assets WHERE id = ?")
      .run(id);
    if (changes === 0) throw notFound(id);
    edits?.deleted("asset", id);
    return files.dropUnneeded();
  });

  const order = database.transaction((ids: readonly string[]): void => {
    const current = database
      .prepare<[], { id: string; play_order: number }>(
        "SELECT id, play_order FROM assets ORDER BY play_order, created",
      )
      .all();
    const playOrders = new Map(current.map((row) => [row.id, row.play_order]));
    const listed = new Set(ids.filter((id) => playOrders.has(id)));
    const others = current.map(({ id }) => id).filter((id) => !listed.has(id));
    const place = database.prepare(
      "UPDATE assets SET play_order = ? WHERE id = ?",
    );
    const numbers = risingNumbers(current.map((row) => row.play_order));
    [...listed, ...others].forEach((id, index) => {
      const number = numbers[index] ?? index;
      if (playOrders.get(id) !== number) place.run(number, id);
    });
  });

  const addUpload = database.transaction((token: string, file: AssetFile) => {
    files.add(file);
    files.addUpload(token, file.hash, now());
  });

  const dropUploads = database.transaction((before: number) => {
    files.dropUploads(before);
    return files.dropUnneeded();
  });

  const dropUpload = database.transaction((token: string) =>
    files.claim(token) === undefined ? null : files.dropUnneeded(),
  );

  function notifyChanged(ids?: readonly string[]): void {
    if (ids) assetCache.refresh(ids);
    else assetCache.forget();
    changed.emit({ how: "changed", ids: ids ?? null });
  }

  const notifyFileChanged = (hash: string): void =>
    notifyChanged(idsOfFile.all(hash));

  /**
   * Immediate: the writer takes the lock before it reads, so that nothing it read is stale. `note` updates the cache, and returns which
   * assets were written.
   */
  const announced =
    <Input extends unknown[], Output>(
      write: { immediate: (...input: Input) => Output },
      note: (output: Output, ...input: Input) => LibraryChange["ids"] = noteAll,
      how: LibraryChange["how"] = "changed",
    ) =>
    (...input: Input): Output => {
      const output = write.immediate(...input);
      const ids = note(output, ...input);
      changed.emit({ how, ids });
      return output;
    };

  function noteAll(): null {
    assetCache.forget();
    return null;
  }

  /** A requested position moves the other assets. */
  function noteWritten(
    asset: Asset,
    playOrder: number | undefined,
  ): LibraryChange["ids"] {
    if (playOrder !== undefined) return noteAll();
    assetCache.put(asset);
    return [asset.id];
  }

  return {
    assets: assetCache.all,
    asset: (id) => {
      const cached = assetCache.get(id);
      if (!cached) throw notFound(id);
      return cached;
    },
    find: assetCache.get,
    has: (id) => assetCache.get(id) !== undefined,
    create: announced(
      create,
      (created, { playOrder }) => noteWritten(created, playOrder),
      "grown",
    ),
    change: announced(change, (changed, _id, { playOrder }) =>
      noteWritten(changed, playOrder),
    ),
    replaceSource: announced(replaceSource, (_hashes, id) => {
      assetCache.refresh([id]);
      return [id];
    }),
    remove: announced(remove, (_hashes, id) => {
      assetCache.drop(id);
      return [id];
    }),
    // An empty list changes nothing: not even colliding numbers are touched.
    order: (ids) => (ids.length > 0 ? announced(order)(ids) : undefined),
    addUpload: (token, file) => addUpload.immediate(token, file),
    waitingUpload: files.waitingUpload,
    dropUpload: (token) => dropUpload.immediate(token),
    dropUploads: (before) => dropUploads.immediate(before),
    attachFile: announced(
      database.transaction(fetches.attach),
      (_isAttached, _from, { hash }) => {
        const ids = idsOfFile.all(hash);
        assetCache.refresh(ids);
        return ids;
      },
    ),
    endProcessing: (from, problem) => {
      fetches.end(from, problem);
      notifyChanged([from.id]);
    },
    noteFetch: fetches.note,
    fetchValidator: fetches.validator,
    file: files.file,
    setProblem: (id, problem) => {
      // A file that played after all was predicted wrongly.
      const foretold =
        problem === null
          ? database
              .prepare(
                `UPDATE files SET problem = NULL WHERE problem IS NOT NULL
                 AND hash = (SELECT file_hash FROM assets WHERE id = ?)`,
              )
              .run(id).changes
          : 0;
      const { changes } = database
        .prepare(
          "UPDATE assets SET problem = ? WHERE id = ? AND problem IS NOT ?",
        )
        .run(problem, id, problem);
      const hash = foretold > 0 ? assetCache.get(id)?.file?.hash : undefined;
      if (hash !== undefined) notifyFileChanged(hash);
      else if (foretold + changes > 0) notifyChanged([id]);
    },
    onChanged: changed.on,
    dropUnneeded: files.dropUnneeded,
    notifyChanged,
    notifyFileChanged,
  };
}

/**
 * The same numbers in strictly rising order: a repeated one becomes one more than the previous. Assets in the trash keep their
 * place between them (V2-700).
 */
function risingNumbers(numbers: readonly number[]): readonly number[] {
  let last = -Infinity;
  return numbers.map((number) => (last = Math.max(number, last + 1)));
}

function notFound(id: string): Failure {
  return new Failure(
    "not-found",
    composeSentence(generalSentences["id-unknown"], { kind: "asset", id }),
  );
}

// What is stored about remote assets while their bytes are downloaded.

/** An asset with the address it had when the download began: it may be given another one in the meantime. */
type Remote = Pick<Asset, "id" | "uri">;

interface FetchRows {
  /** Part of the transaction it is called in; false when no asset has this address any more. */
  attach(from: Remote, file: AssetFile): boolean;
  end(from: Remote, problem: string): void;
  note(id: string, validator: string | null): void;
  validator(id: string): string | null;
}

function createFetchRows(
  database: Sqlite,
  files: Pick<FileRows, "add">,
): FetchRows {
  const awaited = "id = ? AND uri = ? AND is_processing = 1";
  const isAwaited = database.prepare<[string, string]>(
    `SELECT 1 FROM assets WHERE ${awaited}`,
  );
  const attach = database.prepare(
    `UPDATE assets SET file_hash = ?, is_processing = 0, processing_sent = NULL, problem = NULL, fetch_validator = NULL WHERE ${awaited}`,
  );
  const end = database.prepare(
    `UPDATE assets SET is_processing = 0, processing_sent = NULL, problem = ? WHERE ${awaited}`,
  );
  const note = database.prepare(
    "UPDATE assets SET fetch_validator = ? WHERE id = ?",
  );
  const validator = database
    .prepare<[string], string | null>(
      "SELECT fetch_validator FROM assets WHERE id = ?",
    )
    .pluck();
  return {
    attach: ({ id, uri }, file) => {
      if (!isAwaited.get(id, uri)) return false;
      files.add(file);
      attach.run(file.hash, id, uri);
      return true;
    },
    end: ({ id, uri }, problem) => {
      end.run(problem, id, uri);
    },
    note: (id, what) => {
      note.run(what, id);
    },
    validator: (id) => validator.get(id) ?? null,
  };
}
