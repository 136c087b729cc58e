// The library as a sync needs it: what an account brought, a plan applied in one step, verified files, and its own rows.

import { Readable } from "node:stream";
import type { Asset, AssetFile } from "../../../core/asset.ts";
import { Failure } from "../../../core/failure.ts";
import type { Playlist } from "../../../core/playlist.ts";
import type { AllLocalChanges } from "../../../core/local-changes.ts";
import {
  arrivalHere,
  isNothingToApply,
  planSync,
  type Held,
  type SyncPlan,
} from "../../../core/sync-plan.ts";
import {
  completeOf,
  descriptionOf,
  filesOfAsset,
  localItem,
  nothingWanted,
  type AssetFacts,
  type PlaylistFacts,
  type Wanted,
  type WantedApp,
  type WantedItem,
} from "../../../core/sync-wanted.ts";
import type { Aside } from "../../../platform/file-part.ts";
import type { FileStore } from "../../../platform/file-store.ts";
import { probeMedia } from "../../../platform/media/media-probe.ts";
import type { Sqlite } from "../../../platform/sqlite.ts";
import { createAnnouncement } from "../../announcement.ts";
import type { Apps } from "../../apps.ts";
import { appMemberType, createFileRows } from "../../file-rows.ts";
import type { Intake } from "../../intake.ts";
import type { Library } from "../../library.ts";
import type { Playlists } from "../../playlists.ts";
import type { Showing } from "../../director-showing.ts";
import { createSyncApply, localIdOf } from "./apply.ts";
import { factsOfAsset, factsOfPlaylist } from "./facts.ts";
import type { LocalChangeStore } from "./local-changes.ts";
import {
  broughtFrom,
  createSyncRows,
  type StoredAccount,
  type StoredPlan,
} from "./sync-rows.ts";

/** A plan as it is noted with its being applied. */
export interface PlanRecord {
  readonly id: string;
  readonly target: string;
  readonly at: number;
  readonly wanted: Wanted;
}

export type SyncLibrary = ReturnType<typeof createSyncLibrary>;

export interface SyncLibraryOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly intake: Intake;
  readonly apps: Apps;
  readonly store: FileStore;
  readonly localChanges: LocalChangeStore;
  readonly makeId: () => string;
  /** Something of a sync was written. */
  readonly onWritten: () => void;
  /** Every file of the store is known: after a database was rebuilt that takes a while. */
  readonly whenWhole: Promise<void>;
  /** What is on the glass, and a word at every change of that. */
  readonly glass: {
    readonly showing: () => Showing | null;
    readonly onShowing: (listener: () => void) => () => void;
    readonly now: () => number;
  };
}

const plainPart = { type: appMemberType, lengthSeconds: null, problem: null };
/** The current plan and the one before it (V2-208). */
const mostKept = 2;

export function createSyncLibrary(options: SyncLibraryOptions) {
  const { database, library, playlists, intake, store, localChanges } = options;
  const rows = createSyncRows(database);
  const fileRows = createFileRows(database);
  const applyPlan = createSyncApply(
    ...([database, rows, localChanges, options.makeId] as const),
  );
  const replaced = createAnnouncement();
  const edited = createAnnouncement<string>();
  const lost = createAnnouncement<string>();
  /** Hashes of verified files that are no longer on the disk: they are fetched again. */
  const gone = new Set<string>();

  const filesHere = (): ReadonlyMap<string, string> => {
    const files = rows.files();
    return gone.size === 0
      ? files
      : new Map([...files].filter(([, hash]) => !gone.has(hash)));
  };

  function noteGone(hash: string): void {
    gone.add(hash);
    const md5 = rows.md5Of(hash);
    if (md5 !== null) lost.tell(md5);
  }

  /** Compares what is noted with what lies on the disk; one listing at a time. */
  let finding: Promise<void> | null = null;
  const findLost = (): Promise<void> =>
    (finding ??= (async () => {
      const there = new Set(await store.list());
      for (const hash of gone) if (there.has(hash)) gone.delete(hash);
      for (const hash of rows.files().values()) {
        if (there.has(hash) || gone.has(hash)) continue;
        // It may have come while the disk was read.
        if (!store.has(hash)) noteGone(hash);
      }
    })().finally(() => {
      finding = null;
    }));

  /** Rows of a store that did not remember local changes, or of an archive of one, are looked at once. */
  let isInferred = false;
  function inferOld(): void {
    if (isInferred) return;
    database
      .transaction(() => localChanges.inferOld(library.assets, playlists.all))
      .immediate();
    isInferred = true;
  }

  /** By connection; what is read each second is parsed once. */
  const broughtKnown = new Map<string, ReturnType<typeof readBrought>>();

  function readBrought(accountId: string) {
    const assets = broughtFrom<AssetFacts>(rows.assets.all(accountId));
    const remoteIds = new Map(assets.map(({ id, remoteId }) => [id, remoteId]));
    const facts = new WeakMap<Playlist, PlaylistFacts>();
    return {
      ...{ assets, remoteIds },
      playlists: broughtFrom<PlaylistFacts>(rows.playlists.all(accountId)),
      factsOf: (playlist: Playlist): PlaylistFacts => {
        const known =
          facts.get(playlist) ??
          factsOfPlaylist(playlist, (assetId) => remoteIds.get(assetId));
        facts.set(playlist, known);
        return known;
      },
    };
  }

  function broughtBy(accountId: string): ReturnType<typeof readBrought> {
    const known = broughtKnown.get(accountId) ?? readBrought(accountId);
    broughtKnown.set(accountId, known);
    return known;
  }

  const factsKnown = new WeakMap<Asset, AssetFacts>();
  function knownFacts(asset: Asset): AssetFacts {
    const known = factsKnown.get(asset) ?? factsOfAsset(asset);
    factsKnown.set(asset, known);
    return known;
  }

  function held(accountId: string): Held {
    inferOld();
    const brought = broughtBy(accountId);
    const { assets: ownAssets, playlists: ownPlaylists, remoteIds } = brought;
    const assets = new Map(library.assets().map((asset) => [asset.id, asset]));
    const lists = new Map(playlists.all().map((one) => [one.id, one]));
    const files = filesHere();
    const md5s = new Map([...files].map(([md5, hash]) => [hash, md5]));
    const others = (
      all: ReadonlyMap<string, { readonly name: string }>,
      own: readonly { readonly id: string }[],
    ): ReadonlyMap<string, string> => {
      const ids = new Set(own.map(({ id }) => id));
      return new Map(
        [...all]
          .filter(([id]) => !ids.has(id))
          .map(([id, { name }]) => [id, name]),
      );
    };
    const idPrefix = localIdOf(accountId, "");
    /** What is not here any more may come again. */
    const refOf = (id: string): string => {
      const isAway = id.startsWith(idPrefix) && !assets.has(id);
      const away = isAway ? id.slice(idPrefix.length) : undefined;
      return remoteIds.get(id) ?? away ?? `${localItem}${id}`;
    };
    return {
      idPrefix,
      changedAssets: localChanges.of(accountId, "asset"),
      changedPlaylists: withRefs(localChanges.of(accountId, "playlist"), refOf),
      assets: ownAssets.map(({ remoteId, id, applied }) => {
        const asset = assets.get(id);
        return {
          ...{ remoteId, applied },
          now: asset ? knownFacts(asset) : null,
          md5: md5s.get(asset?.file?.hash ?? "") ?? null,
        };
      }),
      playlists: ownPlaylists.map(({ remoteId, id, applied }) => {
        const playlist = lists.get(id);
        return {
          ...{ remoteId, applied },
          now: playlist ? brought.factsOf(playlist) : null,
        };
      }),
      otherAssets: others(assets, ownAssets),
      otherPlaylists: others(lists, ownPlaylists),
      files: new Set(files.keys()),
    };
  }

  function notePlan(accountId: string, plan: PlanRecord): void {
    const { id, target } = plan;
    const kept = rows.plans(accountId).filter(({ isWaiting }) => !isWaiting);
    // What came of the same saying bit by bit is one plan, not many.
    const others = kept.filter((one) => one.target !== target && one.id !== id);
    for (const one of kept) if (!others.includes(one)) rows.dropPlan(one.id);
    for (const one of others.slice(mostKept - 1)) rows.dropPlan(one.id);
    rows.noneIsCurrent(accountId);
    rows.putPlan(accountId, { ...plan, isCurrent: true, isWaiting: false });
  }

  const apply = database.transaction(
    (
      accountId: string,
      plan: SyncPlan,
      record: PlanRecord,
      memory: object,
      isLast: boolean,
      isWhole: boolean,
    ) => {
      const unwritten = applyPlan(accountId, plan);
      const [first] = unwritten;
      if (isWhole && first !== undefined)
        throw new Failure("invalid", `${first} cannot be written here.`);
      notePlan(accountId, record);
      if (isLast) rows.dropWaiting(accountId);
      rows.saveMemory(accountId, memory);
      return { unwritten, hashes: fileRows.dropUnneeded() };
    },
  );

  const dropAccount = database.transaction(
    (accountId: string, keepsContent: boolean): readonly string[] => {
      if (!keepsContent)
        for (const [table, own] of [
          ["playlists", rows.playlists],
          ["assets", rows.assets],
        ] as const) {
          const drop = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
          for (const { id } of own.all(accountId)) drop.run(id);
        }
      rows.dropAccount(accountId);
      return fileRows.dropUnneeded();
    },
  );

  const sweep = database.transaction(
    (needed: ReadonlySet<string>): readonly string[] => {
      for (const md5 of rows.files().keys())
        if (!needed.has(md5)) rows.dropFile(md5);
      return fileRows.dropUnneeded();
    },
  );

  function turnLeftMs(accountId: string, plan: SyncPlan): number {
    const showing = options.glass.showing();
    if (!showing) return 0;
    const { slide, playlistId, untilMs } = showing;
    const touched = new Set(
      [
        ...[...plan.forgetAssets, ...plan.forgetPlaylists],
        ...[...plan.assets, ...plan.playlists].map(({ remoteId }) => remoteId),
      ].map((remoteId) => localIdOf(accountId, remoteId)),
    );
    if (![slide.assetId, playlistId].some((id) => id && touched.has(id)))
      return 0;
    return Math.max(0, (untilMs ?? Infinity) - options.glass.now());
  }

  /** Should a power cut take these rows, the file is fetched again; what is applied later flushes them along. */
  function atEase(write: () => void): void {
    database.exec("PRAGMA synchronous = NORMAL");
    try {
      database.transaction(write).immediate();
    } finally {
      database.exec("PRAGMA synchronous = FULL");
    }
    options.onWritten();
  }

  /** Those that are told of in one breath are written at one go. */
  const noteFile = inOneGo<readonly [md5: string, file: AssetFile]>((files) =>
    atEase(() => {
      for (const [md5, file] of files) {
        fileRows.add(file);
        rows.putFile(md5, file.hash);
        gone.delete(file.hash);
      }
    }),
  );

  /**
   * What was taken back from the trash, or given up, becomes what the applied plan wants, as far as its files are here:
   * that plan was approved long ago, and no service is needed for it (V2-563).
   */
  const settle = database.transaction((accountId: string): boolean => {
    const current = rows.plans(accountId).find(({ isCurrent }) => isCurrent);
    const wanted = current?.wanted ?? nothingWanted;
    const known = held(accountId);
    const shownNow = new Set(
      known.assets
        .filter(({ now }) => now !== null)
        .map(({ remoteId }) => remoteId),
    );
    const arrivalOf = arrivalHere(known, (asset) =>
      shownNow.has(asset.remoteId) ||
      filesOfAsset(asset).every(({ md5 }) => known.files.has(md5))
        ? "here"
        : "never",
    );
    const shown = {
      ...wanted,
      assets: wanted.assets.filter((one) => arrivalOf(one) !== "never"),
    };
    const plan = planSync(completeOf(shown, nothingWanted, arrivalOf), known);
    // What cannot be shown yet stays as it is.
    const isApplied = { ...plan, forgetAssets: [], forgetPlaylists: [] };
    if (isNothingToApply(isApplied)) return false;
    applyPlan(accountId, isApplied);
    return true;
  });

  localChanges.onEdited(edited.tell);
  localChanges.onGivenUp((accountId) => {
    try {
      if (settle.immediate(accountId)) {
        tellChanged();
        options.onWritten();
      }
    } catch {
      // A database that takes nothing at the moment: the next run of the sync does the same.
    }
    edited.tell(accountId);
  });

  function tellChanged(): void {
    broughtKnown.clear();
    library.tellChanged();
    playlists.readAgain();
  }

  return {
    whenWhole: (): Promise<void> => options.whenWhole.then(findLost),
    findLost,
    onEdited: edited.on,
    accounts: (): readonly StoredAccount[] => rows.accounts(),
    saveAccount: (id: string, value: object): void => {
      rows.saveAccount(id, value);
      options.onWritten();
    },
    saveMemory: (id: string, memory: object): void => {
      rows.saveMemory(id, memory);
    },
    /** What it brought goes along, unless it is to stay as local content. */
    dropAccount: async (id: string, keepsContent: boolean): Promise<void> => {
      const hashes = dropAccount.immediate(id, keepsContent);
      tellChanged();
      await intake.forget(hashes);
    },
    held,
    plans: (accountId: string): readonly StoredPlan[] => rows.plans(accountId),
    /** What waits to be applied outlives a restart; null: nothing does. */
    keepWaiting: (accountId: string, plan: PlanRecord | null): void => {
      database
        .transaction(() => {
          rows.dropWaiting(accountId);
          if (!plan) return;
          rows.putPlan(accountId, {
            ...plan,
            isCurrent: false,
            isWaiting: true,
          });
        })
        .immediate();
    },
    /** One transaction: rows, what is kept of the plan, and what the sync keeps in mind. Answers what could not be written, by the cloud's identifiers (V2-550); with `isWhole` nothing is written then, and it throws `invalid`. */
    apply: async (
      accountId: string,
      plan: SyncPlan,
      record: PlanRecord,
      memory: object,
      isLast: boolean,
      isWhole = false,
    ): Promise<readonly string[]> => {
      const { unwritten, hashes } = apply.immediate(
        ...([accountId, plan, record, memory, isLast, isWhole] as const),
      );
      tellChanged();
      await intake.forget(hashes);
      return unwritten;
    },
    turnLeftMs,
    onTurn: (listener: () => void): (() => void) =>
      options.glass.onShowing(listener),
    /** MD5 of each verified file whose bytes are there. */
    files: (): ReadonlySet<string> => new Set(filesHere().keys()),
    /** One of these. */
    hasFile: (md5: string): boolean => {
      const hash = rows.hashOf(md5);
      return hash !== null && !gone.has(hash) && store.has(hash);
    },
    /** Takes verified bytes that are media into the store; throws a Failure and discards them else. */
    admit: async (aside: Aside, md5: string): Promise<void> => {
      await intake.admit(aside, "file", (file) => noteFile([md5, file]));
    },
    /** Takes verified bytes that an app is made of, whatever they are; media among them are media for others too. */
    admitPart: async (aside: Aside, md5: string): Promise<void> => {
      const media = await probeMedia(aside.path).catch(() => null);
      const { hash, sizeBytes } = aside;
      await intake.keep(aside, () =>
        noteFile([md5, { ...(media ?? plainPart), hash, sizeBytes }]),
      );
    },
    /** An app whose files are all here; `md5` is that of its description. */
    admitApp: async (app: WantedApp, md5: string): Promise<void> => {
      const text = Buffer.from(descriptionOf(app));
      const hashes = filesHere();
      if (hashes.has(md5)) return;
      const aside = await store.receive(Readable.from([text]), text.length);
      await intake.keep(aside, () => {
        atEase(() => {
          options.apps.describe(app, aside, (of) => hashes.get(of) ?? "");
          rows.putFile(md5, aside.hash);
          gone.delete(aside.hash);
        });
      });
    },
    /** What stands for these bytes with the clouds; null where none vouched for them. */
    md5Of: (hash: string): string | null => rows.md5Of(hash),
    /** Files that no plan and nobody else needs. */
    sweep: async (needed: ReadonlySet<string>): Promise<void> => {
      const hashes = sweep.immediate(needed);
      await intake.forget(hashes);
    },
    /** Its rows were written by other means than these: a recovery. */
    onReplaced: replaced.on,
    tellReplaced: (): void => {
      isInferred = false;
      broughtKnown.clear();
      replaced.tell();
    },
    /** The MD5 of a verified file whose bytes are not there any more (V2-507). */
    onLost: lost.on,
    tellLost: noteGone,
  };
}

/** Items are remembered by their identifiers here. */
function withRefs(
  changes: AllLocalChanges,
  refOf: (id: string) => string,
): AllLocalChanges {
  return new Map(
    [...changes].map(([remoteId, { isDeleted, fields }]) => {
      const items = fields.get("items");
      if (!Array.isArray(items)) return [remoteId, { isDeleted, fields }];
      const refs = (items as readonly WantedItem[]).map((item) => ({
        ...item,
        assetId: refOf(item.assetId),
      }));
      const after = new Map(fields).set("items", refs);
      return [remoteId, { isDeleted, fields: after }];
    }),
  );
}

/** What is handed over in one breath is written at one go; whoever handed it over waits for that, or hears what it threw. */
function inOneGo<Item>(
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
