// Sync library: content received through a connection, plans applied in one transaction, verified files, and the rows of sync
// itself.

import { Readable } from "node:stream";
import type { Asset, AssetFile } from "../../../core/asset.ts";
import { Failure } from "../../../core/failure.ts";
import type { Playlist } from "../../../core/playlist.ts";
import {
  type AllLocalChanges,
  arrivalHere,
  isNothingToApply,
  planSync,
  type Held,
  type SyncPlan,
} from "../../../core/sync-plan/sync-plan.ts";
import {
  eachIn,
  indexIn,
  inOneGo,
  mapIn,
  type Sliced,
} from "../../../core/slices.ts";
import {
  completeOf,
  descriptionOf,
  filesOfAsset,
  localItem,
  emptyContent,
  type AssetFacts,
  type PlaylistFacts,
  type DesiredContent,
  type DesiredApp,
  type DesiredItem,
} from "../../../core/sync-plan/desired-content.ts";
import type { Aside } from "../../../platform/files/partial-file.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { probeMedia } from "../../../platform/media/media-probe.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../../event-emitter.ts";
import type { Apps } from "../../apps/apps.ts";
import { appMemberType, createFileRows } from "../../library/file-rows.ts";
import type { Uploads } from "../../files/uploads.ts";
import type { Library } from "../../library/library.ts";
import type { Playlists } from "../../playlists/playlists.ts";
import type { ShowingStatus } from "../../playback/showing-status.ts";
import { createSyncApply, localIdOf } from "./apply.ts";
import {
  factsOfAsset,
  factsOfPlaylist,
  createSyncRows,
  type SyncedItem,
  type StoredConnection,
  type StoredPlan,
} from "./sync-rows.ts";
import type { LocalChangeStore } from "./local-changes.ts";

/** A plan as it is recorded when it is applied. */
export interface PlanRecord {
  readonly id: string;
  readonly target: string;
  readonly at: number;
  readonly content: DesiredContent;
}

export type SyncLibrary = ReturnType<typeof createSyncLibrary>;

export interface SyncLibraryOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly uploads: Uploads;
  readonly apps: Apps;
  readonly store: FileStore;
  readonly localChanges: LocalChangeStore;
  readonly makeId: () => string;
  /** Called when sync has written something. */
  readonly onWritten: () => void;
  /** Resolves when every file of the store is known; takes a while after the database was rebuilt. */
  readonly whenFilesKnown: Promise<void>;
  /** What is on screen, and a notification at every change. */
  readonly playback: {
    readonly status: () => ShowingStatus | null;
    readonly onShowing: (listener: () => void) => () => void;
    readonly now: () => number;
  };
}

const plainPart = { type: appMemberType, lengthSeconds: null, problem: null };
/** The current plan and the previous one (V2-208). */
const maxKept = 2;

export function createSyncLibrary(options: SyncLibraryOptions) {
  const { database, library, playlists, uploads, store, localChanges } =
    options;
  const rows = createSyncRows(database);
  const fileRows = createFileRows(database);
  const applyPlan = createSyncApply(
    ...([database, rows, localChanges, options.makeId] as const),
  );
  const replaced = createAnnouncement();
  const edited = createAnnouncement<string>();
  const lost = createAnnouncement<string>();
  /** Hashes of verified files that are missing on the disk: they are downloaded again. */
  const gone = new Set<string>();

  /** Null: the file is not here. */
  const hashHere = (md5: string): string | null => {
    const hash = rows.files().get(md5);
    return hash === undefined || gone.has(hash) ? null : hash;
  };

  /** Changes with everything that may affect what is held. */
  let revision = 0;
  const noteChange = (): void => {
    revision += 1;
  };
  library.onChanged(noteChange);
  playlists.onChanged(noteChange);

  function noteGone(hash: string): void {
    noteChange();
    gone.add(hash);
    const md5 = rows.md5Of(hash);
    if (md5 !== null) lost.emit(md5);
  }

  /** Compares the recorded files with those on the disk; one listing at a time. */
  let finding: Promise<void> | null = null;
  const findLost = (): Promise<void> =>
    (finding ??= (async () => {
      const there = new Set(await store.list());
      noteChange();
      for (const hash of gone) if (there.has(hash)) gone.delete(hash);
      for (const hash of rows.files().values()) {
        if (there.has(hash) || gone.has(hash)) continue;
        // It may have been added while the disk was read.
        if (!store.has(hash)) noteGone(hash);
      }
    })().finally(() => {
      finding = null;
    }));

  /** Stores and archives from before local changes were recorded are checked once. */
  let isInferred = false;
  function inferOld(): void {
    if (isInferred) return;
    database
      .transaction(() => localChanges.inferOld(library.assets, playlists.all))
      .immediate();
    isInferred = true;
  }

  /** By playlist, with the names that the service had for assets at that time. */
  const listFacts = new WeakMap<
    Playlist,
    { readonly refs: readonly string[]; readonly facts: PlaylistFacts }
  >();

  function factsOfList(
    playlist: Playlist,
    refOf: (assetId: string) => string,
  ): PlaylistFacts {
    const refs = playlist.items.map(({ assetId }) => refOf(assetId));
    const cached = listFacts.get(playlist);
    if (cached?.refs.every((ref, place) => ref === refs[place]))
      return cached.facts;
    const facts = factsOfPlaylist(playlist, refOf);
    listFacts.set(playlist, { refs, facts });
    return facts;
  }

  const factsCache = new WeakMap<Asset, AssetFacts>();
  function cachedFacts(asset: Asset): AssetFacts {
    const cached = factsCache.get(asset) ?? factsOfAsset(asset);
    factsCache.set(asset, cached);
    return cached;
  }

  const heldCache = new Map<
    string,
    { readonly revision: number; readonly held: Held }
  >();

  /** Content received through this connection as it is now: read in slices if something has changed. */
  function* heldSliced(connectionId: string): Sliced<Held> {
    inferOld();
    const cached = heldCache.get(connectionId);
    if (cached?.revision === revision) return cached.held;
    const begun = revision;
    const held = yield* readHeld(connectionId);
    // What changed in the meantime may be missing: the next call reads it again.
    if (begun === revision) heldCache.set(connectionId, { revision, held });
    return held;
  }

  function held(connectionId: string): Held {
    return inOneGo(heldSliced(connectionId));
  }

  function* readHeld(connectionId: string): Sliced<Held> {
    const idPrefix = localIdOf(connectionId, "");
    const syncedAssets = yield* rows.assets.all(connectionId);
    const syncedPlaylists = yield* rows.playlists.all(connectionId);
    const assets = yield* indexIn(library.assets(), ({ id }) => id);
    const lists = yield* indexIn(playlists.all(), ({ id }) => id);
    const md5s = new Map<string, string>();
    yield* eachIn(rows.files(), ([md5, hash]) => {
      if (!gone.has(hash)) md5s.set(hash, md5);
    });
    /** Content that is not here any more may come back. */
    const refOf = (id: string): string => {
      const remoteId = id.startsWith(idPrefix) && id.slice(idPrefix.length);
      const isTheirs =
        remoteId !== false && (syncedAssets.has(remoteId) || !assets.has(id));
      return isTheirs ? remoteId : `${localItem}${id}`;
    };
    const changedPlaylists = localChanges.of(connectionId, "playlist");
    return {
      idPrefix,
      changedAssets: localChanges.of(connectionId, "asset"),
      changedPlaylists: withRefs(changedPlaylists, refOf),
      assets: yield* mapIn(
        syncedAssets.values(),
        ({ remoteId, id, applied }) => {
          const asset = assets.get(id);
          const now = asset ? cachedFacts(asset) : null;
          const md5 = md5s.get(asset?.file?.hash ?? "") ?? null;
          return { remoteId, applied, now, md5 };
        },
      ),
      playlists: yield* mapIn(
        syncedPlaylists.values(),
        ({ remoteId, id, applied }) => {
          const list = lists.get(id);
          const now = list ? factsOfList(list, refOf) : null;
          return { remoteId, applied, now };
        },
        ({ id }) => 1 + (lists.get(id)?.items.length ?? 0),
      ),
      otherAssets: yield* others(assets, syncedAssets, idPrefix),
      otherPlaylists: yield* others(lists, syncedPlaylists, idPrefix),
      files: { has: (md5) => hashHere(md5) !== null },
    };
  }

  function notePlan(connectionId: string, plan: PlanRecord): void {
    const { id, target } = plan;
    const applied = rows
      .plans(connectionId)
      .filter(({ isWaiting }) => !isWaiting);
    // Partial applications of the same desired state are one plan, not several.
    const others = applied.filter(
      (one) => one.target !== target && one.id !== id,
    );
    for (const one of applied) if (!others.includes(one)) rows.dropPlan(one.id);
    for (const one of others.slice(maxKept - 1)) rows.dropPlan(one.id);
    rows.noneIsCurrent(connectionId);
    rows.putPlan(connectionId, { ...plan, isCurrent: true, isWaiting: false });
  }

  const apply = database.transaction(
    (
      connectionId: string,
      plan: SyncPlan,
      record: PlanRecord,
      memory: object,
      isLast: boolean,
      isAllOrNothing: boolean,
    ) => {
      const unwritten = applyPlan(connectionId, plan);
      const [first] = unwritten;
      if (isAllOrNothing && first !== undefined)
        throw new Failure("invalid", `${first} cannot be changed.`);
      notePlan(connectionId, record);
      if (isLast) rows.dropWaiting(connectionId);
      rows.saveMemory(connectionId, memory);
      return { unwritten, hashes: fileRows.dropUnneeded() };
    },
  );

  const dropConnection = database.transaction(
    (connectionId: string, keepsContent: boolean): readonly string[] => {
      if (!keepsContent)
        for (const [table, syncedItems] of [
          ["playlists", inOneGo(rows.playlists.all(connectionId))],
          ["assets", inOneGo(rows.assets.all(connectionId))],
        ] as const) {
          const drop = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
          for (const { id } of syncedItems.values()) drop.run(id);
        }
      rows.dropConnection(connectionId);
      return fileRows.dropUnneeded();
    },
  );

  const sweep = database.transaction(
    (needed: ReadonlySet<string>): readonly string[] => {
      for (const md5 of [...rows.files().keys()])
        if (!needed.has(md5)) rows.dropFile(md5);
      return fileRows.dropUnneeded();
    },
  );

  function showingLeftMs(connectionId: string, plan: SyncPlan): number {
    const status = options.playback.status();
    if (!status) return 0;
    const { showing, playlistId, untilMs } = status;
    const touched = new Set(
      [
        ...[...plan.forgetAssets, ...plan.forgetPlaylists],
        ...[...plan.assets, ...plan.playlists].map(({ remoteId }) => remoteId),
      ].map((remoteId) => localIdOf(connectionId, remoteId)),
    );
    if (![showing.assetId, playlistId].some((id) => id && touched.has(id)))
      return 0;
    return Math.max(0, (untilMs ?? Infinity) - options.playback.now());
  }

  /** If a power cut loses these rows, the file is downloaded again; the next apply flushes them along. */
  function writeWithoutFlush(write: () => void): void {
    noteChange();
    orForgotten(() => withoutFlush(write));
    options.onWritten();
  }

  function withoutFlush(write: () => void): void {
    database.exec("PRAGMA synchronous = NORMAL");
    try {
      database.transaction(write).immediate();
    } finally {
      database.exec("PRAGMA synchronous = FULL");
    }
  }

  /** Files reported at the same time are written in one transaction. */
  const noteFile = inBatches<readonly [md5: string, file: AssetFile]>((files) =>
    writeWithoutFlush(() => {
      for (const [md5, file] of files) {
        fileRows.add(file);
        rows.putFile(md5, file.hash);
        gone.delete(file.hash);
      }
    }),
  );

  /**
   * Sets content that was restored from the trash, or whose local change was discarded, to what the applied plan wants, as far as
   * its files are here: that plan was approved long ago, and no service is needed for it (V2-563).
   */
  const reconcile = database.transaction((connectionId: string) => {
    const current = rows.plans(connectionId).find(({ isCurrent }) => isCurrent);
    const content = current?.content ?? emptyContent;
    const heldNow = held(connectionId);
    const shownNow = new Set(
      heldNow.assets
        .filter(({ now }) => now !== null)
        .map(({ remoteId }) => remoteId),
    );
    const arrivalOf = arrivalHere(heldNow, (asset) =>
      shownNow.has(asset.remoteId) ||
      filesOfAsset(asset).every(({ md5 }) => heldNow.files.has(md5))
        ? "here"
        : "never",
    );
    const shown = {
      ...content,
      assets: content.assets.filter((one) => arrivalOf(one) !== "never"),
    };
    const plan = planSync(completeOf(shown, emptyContent, arrivalOf), heldNow);
    // Content that cannot be shown yet stays as it is.
    const isApplied = { ...plan, forgetAssets: [], forgetPlaylists: [] };
    if (isNothingToApply(isApplied)) return null;
    applyPlan(connectionId, isApplied);
    // A file of its own that an asset had instead of the service's (V2-564).
    return { plan: isApplied, hashes: fileRows.dropUnneeded() };
  });

  /** Rows written by a transaction that was rolled back are dropped from the cache. */
  function orForgotten<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      rows.forget();
      throw error;
    }
  }

  localChanges.onEdited((connectionId) => {
    noteChange();
    edited.emit(connectionId);
  });
  localChanges.onGivenUp((connectionId) => {
    try {
      noteChange();
      const reconciled = orForgotten(() => reconcile.immediate(connectionId));
      if (reconciled) {
        notifyApplied(connectionId, reconciled.plan);
        options.onWritten();
        // Files that cannot be deleted now are deleted later.
        void uploads.forget(reconciled.hashes).catch(() => undefined);
      }
    } catch {
      // The database cannot write at the moment: the next sync run does the same.
    }
    edited.emit(connectionId);
  });

  function notifyChanged(): void {
    noteChange();
    library.notifyChanged();
    playlists.readAgain();
  }

  /** Reads only what the plan names: reading all of a large library would block everything else. */
  function notifyApplied(connectionId: string, plan: SyncPlan): void {
    const idOf = (remoteId: string): string =>
      localIdOf(connectionId, remoteId);
    const idsOf = (
      forgotten: readonly string[],
      written: readonly { readonly remoteId: string }[],
    ): readonly string[] => [
      ...forgotten.map(idOf),
      ...written.map(({ remoteId }) => idOf(remoteId)),
    ];
    noteChange();
    library.notifyChanged(idsOf(plan.forgetAssets, plan.assets));
    playlists.refresh(
      idsOf(plan.forgetPlaylists, plan.playlists),
      plan.forgetAssets.map(idOf),
    );
  }

  return {
    whenFilesKnown: (): Promise<void> => options.whenFilesKnown.then(findLost),
    findLost,
    onEdited: edited.on,
    connections: (): readonly StoredConnection[] => rows.connections(),
    saveConnection: (id: string, value: object): void => {
      rows.saveConnection(id, value);
      options.onWritten();
    },
    /** `isMark`: may be lost in a power cut. */
    saveMemory: (id: string, memory: object, isMark = false): void => {
      const write = (): void => rows.saveMemory(id, memory);
      if (isMark) withoutFlush(write);
      else write();
    },
    /** Deletes its content as well, unless it is to stay as local content. */
    dropConnection: async (
      id: string,
      keepsContent: boolean,
    ): Promise<void> => {
      const hashes = orForgotten(() =>
        dropConnection.immediate(id, keepsContent),
      );
      notifyChanged();
      await uploads.forget(hashes);
    },
    held,
    heldSliced,
    plans: (connectionId: string): readonly StoredPlan[] =>
      rows.plans(connectionId),
    /** Stores the waiting plan so that it survives a restart; null: no plan is waiting. */
    keepWaiting: (connectionId: string, plan: PlanRecord | null): void => {
      database
        .transaction(() => {
          rows.dropWaiting(connectionId);
          if (!plan) return;
          rows.putPlan(connectionId, {
            ...plan,
            isCurrent: false,
            isWaiting: true,
          });
        })
        .immediate();
    },
    /**
     * One transaction: rows, the record of the plan, and the memory of the connection. Returns what could not be written, by the
     * identifiers of the service (V2-550); with `isAllOrNothing` nothing is written in that case and it throws `invalid`.
     */
    apply: async (
      connectionId: string,
      plan: SyncPlan,
      record: PlanRecord,
      memory: object,
      isLast: boolean,
      isAllOrNothing = false,
    ): Promise<readonly string[]> => {
      const { unwritten, hashes } = orForgotten(() =>
        apply.immediate(
          ...([
            connectionId,
            plan,
            record,
            memory,
            isLast,
            isAllOrNothing,
          ] as const),
        ),
      );
      notifyApplied(connectionId, plan);
      await uploads.forget(hashes);
      return unwritten;
    },
    showingLeftMs,
    onShowingChanged: (listener: () => void): (() => void) =>
      options.playback.onShowing(listener),
    /** MD5 of each verified file whose bytes are present. */
    files: (): ReadonlySet<string> =>
      new Set([...rows.files().keys()].filter((md5) => hashHere(md5) !== null)),
    /** True if `files()` contains it. */
    hasFile: (md5: string): boolean => {
      const hash = hashHere(md5);
      return hash !== null && store.has(hash);
    },
    /** The verified bytes of this file; null unless `files()` contains it. */
    storedFile: (
      md5: string,
    ): { readonly path: string; readonly sizeBytes: number } | null => {
      const hash = hashHere(md5);
      const file = hash === null ? null : fileRows.file(hash);
      return hash === null || file === null || !store.has(hash)
        ? null
        : { path: store.pathOf(hash), sizeBytes: file.sizeBytes };
    },
    /** Adds verified bytes to the store if they are media; otherwise discards them and throws a Failure. */
    admit: async (aside: Aside, md5: string): Promise<void> => {
      await uploads.admit(aside, "file", (file) => noteFile([md5, file]));
    },
    /** Adds verified bytes of an app, whatever they are; media among them are available to others, too. */
    admitPart: async (aside: Aside, md5: string): Promise<void> => {
      const media = await probeMedia(aside.path).catch(() => null);
      const { hash, sizeBytes } = aside;
      await uploads.keep(aside, () =>
        noteFile([md5, { ...(media ?? plainPart), hash, sizeBytes }]),
      );
    },
    /** Adds an app whose files are all here; `md5` is that of its description. */
    admitApp: async (app: DesiredApp, md5: string): Promise<void> => {
      const text = Buffer.from(descriptionOf(app));
      if (hashHere(md5) !== null) return;
      const aside = await store.receive(Readable.from([text]), text.length);
      await uploads.keep(aside, () => {
        writeWithoutFlush(() => {
          options.apps.describe(app, aside, (of) => hashHere(of) ?? "");
          rows.putFile(md5, aside.hash);
          gone.delete(aside.hash);
        });
      });
    },
    /** The MD5 by which services know these bytes; null if no service vouched for them. */
    md5Of: (hash: string): string | null => rows.md5Of(hash),
    /** Deletes files that neither a plan nor anything else needs. */
    sweep: async (needed: ReadonlySet<string>): Promise<void> => {
      const hashes = orForgotten(() => sweep.immediate(needed));
      noteChange();
      await uploads.forget(hashes);
    },
    /** Called when the rows were written by something else: a recovery. */
    onReplaced: replaced.on,
    notifyReplaced: (): void => {
      isInferred = false;
      rows.forget();
      noteChange();
      replaced.emit();
    },
    /** Called with the MD5 of a verified file whose bytes are missing (V2-507). */
    onLost: lost.on,
    notifyLost: noteGone,
  };
}

/** Names by identifier of all content that does not belong to this connection. */
function* others(
  all: ReadonlyMap<string, { readonly id: string; readonly name: string }>,
  synced: ReadonlyMap<string, SyncedItem<object>>,
  idPrefix: string,
): Sliced<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  yield* eachIn(all.values(), ({ id, name }) => {
    const isSynced =
      id.startsWith(idPrefix) && synced.has(id.slice(idPrefix.length));
    if (!isSynced) names.set(id, name);
  });
  return names;
}

/** Items refer to their local identifiers. */
function withRefs(
  changes: AllLocalChanges,
  refOf: (id: string) => string,
): AllLocalChanges {
  return new Map(
    [...changes].map(([remoteId, { isDeleted, fields }]) => {
      const items = fields.get("items");
      if (!Array.isArray(items)) return [remoteId, { isDeleted, fields }];
      const refs = (items as readonly DesiredItem[]).map((item) => ({
        ...item,
        assetId: refOf(item.assetId),
      }));
      const after = new Map(fields).set("items", refs);
      return [remoteId, { isDeleted, fields: after }];
    }),
  );
}

/** Writes what is passed within one tick in one transaction; each caller waits for it and gets its error. */
function inBatches<Item>(
  write: (items: readonly Item[]) => void,
): (item: Item) => Promise<void> {
  let waiting: Item[] = [];
  let going: Promise<void> | null = null;
  return (item) => {
    waiting.push(item);
    going ??= Promise.resolve().then(() => {
      const items = waiting;
      waiting = [];
      going = null;
      write(items);
    });
    return going;
  };
}
