// One player with its sync and one fake service, on which sequences run one after the other, each from empty to empty.

import { fork } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type {
  AllAssetsMode,
  CloudVersion,
  SyncMode,
  SyncStatus,
} from "../../../../../server/core/sync-plan/sync-state.ts";
import type { SyncLibrary } from "../../../../../server/player/sync/sync.ts";
import type { WhyV2 } from "../../../../../server/contract/v2/v2-screen.ts";
import { Failure } from "../../../../../server/core/failure.ts";
import { openWindowsSeal } from "../../../../../server/platform/windows-encryption.ts";
import { spawnSync } from "../../../../support/sync/serve-sync.ts";
import { contentKey } from "../../../../support/content/start-content.ts";
import { folderInMemory } from "../../../../support/folder.ts";
import {
  startSync,
  type RunningSync,
} from "../../../../support/sync/start-sync.ts";
import {
  documentFile,
  bytesAt,
  firstPage,
  images,
  pairedScreen,
  serveFakeService,
  type FakeService,
} from "./fake-service.ts";
import { createModelClock } from "./model-clock.ts";
import {
  predicates,
  type Operation,
  type OperationName,
  type Sequence,
} from "./operations.ts";
import {
  expectedHere,
  type Here,
  type ItemHere,
  type LocalEdit,
} from "./oracle.ts";
import { openHereReader, type HereReader } from "./read-player-state.ts";
import {
  reportedPart,
  copyOf,
  emptyService,
  groupTitle,
  isFullyReported,
  desiredBy,
  desiredOfGroup,
  unreadablePredicate,
  type Label,
  type ServicePlaylist,
  type ServiceState,
} from "./service-state.ts";

export interface ModelWorld {
  run(sequence: Sequence): Promise<void>;
  stop(): Promise<void>;
}

const hourMs = 3_600_000;
/** A run takes some milliseconds here. */
const longestMs = 10_000;
/** Applied at three in the morning (the model's time zone is UTC). */
const applyAtMs = 3 * hourMs;

export async function startModelWorld(): Promise<ModelWorld> {
  const service = await serveFakeService();
  const dataDir = await folderInMemory();
  const clock = createModelClock();
  /** On Windows, a process of the sync encrypts its token, which is then opened here. */
  const seal = await openWindowsSeal();
  /** Called before each use of the library. */
  let onCall: () => void = () => undefined;
  const start = (): Promise<RunningSync> =>
    startSync({
      player: { clock: clock.player, dataDir },
      sync: { clock: clock.sync, silenceMs: 30_000, seal },
      breakLibrary: (library) =>
        watched(library, () => {
          onCall();
        }),
    });
  let running = await start();
  await running.send("PATCH", "/device_settings", { timezone: "UTC" });
  let reader = openHereReader(dataDir);

  async function restart(
    between: (dir: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    reader.close();
    await running.stopSync();
    await running.player.stop();
    clock.forget();
    await between(dataDir);
    running = await start();
    reader = openHereReader(dataDir);
  }

  /** What happens after that moment is lost: the store is reopened as it was then. */
  async function killedIn(
    calls: number,
    act: () => Promise<void>,
  ): Promise<void> {
    const asItLay = await folderInMemory();
    let left = calls;
    let isTaken = false;
    const take = (): void => {
      if (isTaken) return;
      isTaken = true;
      cpSync(dataDir, asItLay, { recursive: true });
    };
    onCall = () => {
      if (left === 0) take();
      left -= 1;
    };
    await act();
    onCall = () => undefined;
    take();
    await restart(async () => {
      await rm(dataDir, { recursive: true });
      await rename(asItLay, dataDir);
    });
  }

  return {
    run: async (sequence) => {
      service.version = sequence.version;
      service.state = emptyService();
      service.fileFaults.clear();
      service.listFault = null;
      service.transport = "plain";
      service.onRequest = () => true;
      const walk = createWalk({
        ...{ service, clock },
        running: () => running,
        reader: () => reader,
        ...{ restart, killedIn },
      });
      await walk(sequence);
    },
    stop: async () => {
      reader.close();
      await running.stopSync();
      await running.player.stop();
      await service.stop();
    },
  };
}

interface WalkOptions {
  readonly service: FakeService;
  readonly clock: ReturnType<typeof createModelClock>;
  readonly running: () => RunningSync;
  readonly reader: () => HereReader;
  /** What happens in between has the store to itself. */
  readonly restart: (
    between?: (dataDir: string) => Promise<void>,
  ) => Promise<void>;
  /** Restarts with the state of the disk at one moment of the callback's work. */
  readonly killedIn: (calls: number, act: () => Promise<void>) => Promise<void>;
}

function createWalk(options: WalkOptions) {
  const { service, clock, running, reader } = options;
  let connectionId = "";
  /** Another connection to the same service, for another label, of which nothing is changed here. */
  let secondId: string | null = null;
  let mode: SyncMode = "now";
  let own: ReadonlySet<Label> = new Set();
  let allAssets: AllAssetsMode = "off";
  let followsGroup = false;
  const edits = new Map<string, LocalEdit>();
  let items = 0;
  /** What the service wanted at the last poll that reached it. */
  let seen: ServiceState = emptyService();
  /** What was applied last, and before. */
  let applied: ServiceState = emptyService();
  /** While the clock runs: the plan that waited for the night, which may be applied before the service is polled again. */
  let waiting: ServiceState | null = null;
  let previous: ServiceState | null = null;
  /** Files failed meanwhile: what is here is partial. */
  let isPartial = false;
  /** The same before what cannot be read was left out. */
  let seenAsReceived: ServiceState = emptyService();
  /** What the service said when that was applied. */
  let appliedAsReceived = "";
  /** It has been partial since: which version is kept as the previous one is not known. */
  let isHistoryKnown = true;
  let postponed: string | null = null;
  let othersAdded = 0;
  /** Assets and playlists of this player itself: those added here, and those restored from the trash without a connection. */
  const ours = new Set<string>();

  const digestOf = (state: ServiceState): string =>
    digestIn(service.version, state);
  const editOf = (id: string): LocalEdit => {
    const known = edits.get(id);
    if (known) return known;
    const edit: LocalEdit = { fields: new Map(), away: null };
    edits.set(id, edit);
    return edit;
  };
  const idHere = (id: string): string => `${connectionId}-${id}`;
  const desiredAsReceived = (): ServiceState =>
    followsGroup
      ? desiredOfGroup(service.state)
      : desiredBy(service.state, own, allAssets);
  const desired = (): ServiceState =>
    copyOf(reportedPart(desiredAsReceived(), applied, service.version));
  /** The service reported all of it; what was deleted here doesn't count (V2-570). */
  const isReadable = (): boolean => {
    const state = seenAsReceived;
    const keptOf = <Value>(all: ReadonlyMap<string, Value>) =>
      new Map([...all].filter(([id]) => editOf(id).away === null));
    const [assets, playlists] = [keptOf(state.assets), keptOf(state.playlists)];
    return isFullyReported({ ...state, assets, playlists });
  };
  const isFaulty = (): boolean =>
    service.listFault !== null || service.fileFaults.size > 0;

  /** Two connections bring the same titles: which of them gets the number is not defined by this model. */
  function comparable<Row extends { readonly name: string }>(
    rows: Readonly<Record<string, Row>>,
  ): Readonly<Record<string, Row>> {
    if (secondId === null) return rows;
    return Object.fromEntries(
      Object.entries(rows).map(([id, row]) => [
        id,
        { ...row, name: row.name.replace(/(?:-\d+)+$/, "") },
      ]),
    );
  }

  /** Null where the second connection has what the service wants of it. */
  function differenceOfSecond(id: string): unknown {
    const { here, otherAssets } = reader().read(id);
    const state = desiredBy(service.state, new Set(["all", "elsewhere"]));
    if (!isFullyReported(state)) return null;
    const due = expectedHere({
      ...{ desired: state, edits: new Map(), version: service.version },
      ...{ otherAssetNames: new Set(), otherPlaylistNames: new Set() },
      otherAssets: new Set(otherAssets.keys()),
    });
    const [found, expected] = [here, due].map(({ assets, playlists }) => ({
      assets: comparable(assets),
      playlists: comparable(playlists),
    }));
    return isDeepStrictEqual(found, expected) ? null : { found, expected };
  }

  function expected(state: ServiceState): Here {
    const { here, otherAssets, otherPlaylists } = reader().read(connectionId);
    const unexpectedRows = (
      rows: Here["assets"] | Here["playlists"],
      desiredHere: ReadonlyMap<string, unknown>,
    ): readonly (readonly [string, string])[] =>
      Object.entries(rows)
        .filter(([id]) => ours.has(idHere(id)) && !desiredHere.has(id))
        .map(([id, { name }]) => [id, name]);
    const assets = new Map([
      ...otherAssets,
      ...unexpectedRows(here.assets, state.assets),
    ]);
    const playlists = new Map([
      ...otherPlaylists,
      ...unexpectedRows(here.playlists, state.playlists),
    ]);
    return expectedHere({
      ...{ desired: state, edits, version: service.version },
      isListedAlone: followsGroup,
      otherAssetNames: new Set(assets.values()),
      otherPlaylistNames: new Set(playlists.values()),
      otherAssets: new Set(assets.keys()),
    });
  }

  const isOfSecond = (id: string): boolean =>
    secondId !== null && id.startsWith(`${secondId}-`);

  /** Null where all is as expected, else the difference. */
  function difference(state: ServiceState): unknown {
    const { here, otherAssets, otherPlaylists } = reader().read(connectionId);
    for (const id of [...otherAssets.keys(), ...otherPlaylists.keys()])
      if (!ours.has(id) && !isOfSecond(id)) return { orphan: id };
    const due = expected(state);
    // What was restored from the trash without a connection belongs to this player.
    const without = (rows: Here["assets"] | Here["playlists"]) =>
      Object.fromEntries(
        Object.entries(rows).filter(
          ([id]) =>
            id in due.assets || id in due.playlists || !ours.has(idHere(id)),
        ),
      );
    const found = {
      assets: comparable(without(here.assets) as Here["assets"]),
      playlists: comparable(without(here.playlists) as Here["playlists"]),
    };
    const desiredHere = {
      assets: comparable(due.assets),
      playlists: comparable(due.playlists),
    };
    if (!isDeepStrictEqual(found, desiredHere))
      return { found, expected: desiredHere };
    const places = here.order
      .map((id) => state.playlists.get(id)?.createdAt)
      .filter((at) => at !== undefined);
    const isOrdered = places.every(
      (at, place) => at >= (places[place - 1] ?? at),
    );
    return isOrdered ? null : { order: here.order, expected: due.order };
  }

  async function assertHere(state: ServiceState, when: string): Promise<void> {
    const wrong = difference(state);
    if (wrong !== null) {
      const status = running()
        .sync.status()
        .find((one) => one.connectionId === connectionId);
      throw new Error(
        `${when}: ${JSON.stringify({ wrong, status: reported(status) }, null, 1)}`,
      );
    }
  }

  const rest = (id = connectionId): Promise<SyncStatus> =>
    until(
      ({ nextPollAt, phase }) =>
        nextPollAt !== null &&
        !["polling", "downloading", "applying"].includes(phase),
      id,
    );

  /** A run that never becomes idle is a wrong state, too. */
  async function until(
    isRight: (status: SyncStatus) => boolean,
    id = connectionId,
  ): Promise<SyncStatus> {
    const late = new AbortController();
    const first = await Promise.race([
      running().until(
        (status) => status.connectionId === id && isRight(status),
      ),
      setTimeout(longestMs, null, { signal: late.signal }),
    ]);
    late.abort();
    if (first) return first;
    const status = running()
      .sync.status()
      .find((one) => one.connectionId === id);
    throw new Error(
      `does not come to rest: ${JSON.stringify(reported(status))}`,
    );
  }

  async function poll(): Promise<SyncStatus> {
    running().sync.run(connectionId);
    return rest();
  }

  /** After the service was polled, or may have been. */
  async function check(status: SyncStatus, when: string): Promise<void> {
    const { hold, isInSync, phase } = status;
    const fail = (what: string): never => {
      throw new Error(`${when}: ${what} ${JSON.stringify(reported(status))}`);
    };
    if (service.listFault === null) {
      seen = desired();
      seenAsReceived = copyOf(desiredAsReceived());
      if (postponed !== digestOf(seen) && hold !== "postponed")
        postponed = null;
      // Also while other files fail.
      const { assets } = reader().read(connectionId).here;
      dropFilesOfGone((id) => seen.assets.has(id) || id in assets);
    }
    if (isInSync === true && hold !== null) fail("says in_sync");
    if (hold === "ask" && mode !== "ask") fail("asks in another mode");
    if (hold === "postponed" && !isPostponed()) fail("is postponed by nobody");
    if (isFaulty()) {
      if (isInSync === true && difference(seen) !== null)
        await assertHere(seen, `${when}, in_sync`);
      if (service.fileFaults.size > 0 || isPartial) {
        isPartial = true;
        isHistoryKnown = false;
        return;
      }
      // What was received before may have been applied without the service.
      await assertHere(hold === null ? seen : applied, when);
      if (hold === null) noteApplied();
      return;
    }
    if (phase === "failing") fail("fails without a cause");
    // What was given up while a file failed is retried after an hour, and not before.
    if (isPartial && isInSync === false && status.itemFailures.some(isGivenUp))
      return;
    if (hold !== null) {
      if (hold === "more-than-half") {
        if (!isMostGone()) fail("holds little");
        if (!isPartial) assertNothingRemoved(`${when}, held`);
        [isPartial, isHistoryKnown] = [true, false];
        return;
      }
      const isNight = waiting !== null && difference(applied) !== null;
      if (isNight && !isPartial) noteApplied(waiting ?? seen);
      if (!isPartial) await assertHere(applied, `${when}, held`);
      return;
    }
    await assertHere(seen, when);
    await assertNoFileIsLeft(when);
    noteApplied();
    if (isInSync !== isReadable()) fail(`says in_sync: ${isInSync}`);
  }

  /** What was downloaded for nothing, or replaced, is deleted without waiting for another plan (V2-830, V2-832). */
  async function assertNoFileIsLeft(when: string): Promise<void> {
    // The files of what was deleted here stay as long as the service wants it.
    const { assets } = secondId === null ? desiredAsReceived() : service.state;
    // An app has a file that only the player makes.
    if ([...assets.values()].some(({ app }) => app)) return;
    const desiredFiles = new Set(
      [...assets.values()].map(({ file }) =>
        file === null ? null : bytesAt(file)?.hash,
      ),
    );
    const left = (): readonly string[] =>
      reader()
        .unneededFiles()
        .filter((hash) => !desiredFiles.has(hash));
    // The second connection needs files of what it heard last, even of a playlist that it can't read.
    if (secondId !== null && left().length > 0) {
      running().sync.run(secondId);
      await rest(secondId);
    }
    // They are deleted right after the poll.
    for (let tries = 0; tries < 200 && left().length > 0; tries += 1)
      await setTimeout(10);
    if (left().length > 0)
      throw new Error(`${when}: files that nothing needs: ${left().join()}`);
  }

  function isPostponed(): boolean {
    return postponed === digestOf(seen);
  }

  function isMostGone(): boolean {
    const live = ({ assets }: ServiceState): number =>
      [...assets.keys()].filter((id) => editOf(id).away === null).length;
    // What stays because it cannot be read now does not count as wanted.
    const wanted = reportedPart(
      ...([desiredAsReceived(), emptyService(), service.version] as const),
    );
    const left = Math.min(live(seen), live(wanted));
    return isPartial || (live(applied) >= 5 && left < live(applied) / 4);
  }

  /** Nothing is removed; what else of it is applied is not checked. */
  function assertNothingRemoved(when: string): void {
    const { here } = reader().read(connectionId);
    const gone = [...applied.assets.keys()].filter(
      (id) => editOf(id).away === null && !(id in here.assets),
    );
    if (gone.length > 0) throw new Error(`${when}: removed ${gone.join(", ")}`);
  }

  function noteApplied(now = seen): void {
    if (isPartial) isHistoryKnown = false;
    isPartial = false;
    const isSaidAnew = appliedAsReceived !== digestOf(seenAsReceived);
    appliedAsReceived = digestOf(seenAsReceived);
    const isSame = digestOf(applied) === digestOf(now);
    // Whether a change without effect here counts as a version is up to the player.
    if (isSame ? isSaidAnew : difference(applied) === null)
      isHistoryKnown = false;
    if (isSame) return;
    previous = applied;
    applied = now;
    for (const id of [...now.assets.keys(), ...now.playlists.keys()])
      ours.delete(idHere(id));
    dropFilesOfGone();
  }

  /** What was restored as this player's own stays so (V2-836). */
  function withoutOurs(state: ServiceState): ServiceState {
    const { here } = reader().read(connectionId);
    const after = copyOf(state);
    for (const id of Object.keys(here.assets))
      if (ours.has(idHere(id))) after.assets.delete(id);
    for (const id of Object.keys(here.playlists))
      if (ours.has(idHere(id))) after.playlists.delete(id);
    return after;
  }

  /** A file that was replaced here is deleted with its asset (V2-564). */
  function dropFilesOfGone(
    isThere = (id: string): boolean => applied.assets.has(id),
  ): void {
    for (const [id, { fields }] of edits)
      if (!isThere(id)) fields.delete("file");
  }

  async function sendHere(
    method: string,
    path: string,
    body: unknown = {},
  ): Promise<boolean> {
    const { status, body: answer } = await running().send(method, path, body);
    if (status >= 400 && status !== 404 && status !== 409)
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return status < 400;
  }

  /** Its current state here; null where it is missing. */
  function assetHere(id: string): Here["assets"][string] | null {
    return reader().read(connectionId).here.assets[id] ?? null;
  }
  function playlistHere(id: string): Here["playlists"][string] | null {
    return reader().read(connectionId).here.playlists[id] ?? null;
  }

  /** A field was set here; a value that was set back is no change any more. */
  function note(
    id: string,
    field: string,
    before: unknown,
    value: unknown,
    theirs: readonly unknown[],
  ): void {
    if (isDeepStrictEqual(before, value)) return;
    if (ours.has(idHere(id))) return;
    if (theirs.some((one) => isDeepStrictEqual(value, one)))
      editOf(id).fields.delete(field);
    else editOf(id).fields.set(field, value);
  }

  const theirsOf = (id: string, of = applied): Here => {
    const known = edits.get(id);
    if (!known) return expected(of);
    edits.set(id, { fields: new Map(), away: known.away });
    const theirs = expected(of);
    edits.set(id, known);
    return theirs;
  };

  /** Of a partial state it is not known whether this is a change, or what the service wants. */
  function isAmbiguous(
    value: unknown,
    theirs: (of: Here) => unknown,
    id: string,
  ) {
    if (!isPartial) return false;
    const isTheirs = [applied, seen].map((state) =>
      isDeepStrictEqual(theirs(theirsOf(id, state)), value),
    );
    return isTheirs[0] !== isTheirs[1];
  }

  async function changeAsset(
    id: string,
    field: "name" | "isEnabled" | "seconds" | "dates",
    value: unknown,
    body: object,
  ): Promise<void> {
    const before = assetHere(id);
    if (before === null) return;
    if (isAmbiguous(value, ({ assets }) => assets[id]?.[field], id)) return;
    const theirs = theirsOf(id).assets[id]?.[field];
    const title = applied.assets.get(id)?.title;
    if (!(await sendHere("PATCH", `/assets/${idHere(id)}`, body))) return;
    const after = assetHere(id);
    note(id, field, before[field], after?.[field], [
      theirs,
      ...(field === "name" && value === title ? [after?.name] : []),
    ]);
  }

  async function changePlaylist(
    id: string,
    field: "name" | "isEnabled" | "predicate" | "items",
    value: unknown,
    body: object,
  ): Promise<void> {
    const before = playlistHere(id);
    if (before === null) return;
    if (isAmbiguous(value, ({ playlists }) => playlists[id]?.[field], id))
      return;
    const theirs = theirsOf(id).playlists[id]?.[field];
    const title = applied.playlists.get(id)?.title;
    if (!(await sendHere("PATCH", `/playlists/${idHere(id)}`, body))) return;
    const after = playlistHere(id);
    note(id, field, before[field], after?.[field], [
      theirs,
      ...(field === "name" && value === title ? [after?.name] : []),
    ]);
  }

  function setItems(id: string, list: readonly ItemHere[]): Promise<void> {
    const body = list.map(({ asset, seconds }) => ({
      asset_id: /^a\d$/.test(asset) ? idHere(asset) : asset,
      duration: seconds,
    }));
    return changePlaylist(id, "items", list, { items: body });
  }

  async function trash(
    kind: "asset" | "playlist",
    id: string,
    how: "trash" | "restore" | "delete",
  ): Promise<void> {
    // Of a partial state it is not known what is wanted.
    if (isPartial) return;
    const body = { [`${kind}_ids`]: [idHere(id)] };
    if (how === "trash" && (await sendHere("POST", "/trash", body))) {
      if (!ours.has(idHere(id))) editOf(id).away = "trash";
    }
    if (how === "restore" && (await sendHere("POST", "/trash/restore", body))) {
      const edit = editOf(id);
      edit.away = null;
      const isDesired = applied.assets.has(id) || applied.playlists.has(id);
      if (!isDesired) ours.add(idHere(id));
    }
    if (
      how === "delete" &&
      (await sendHere("DELETE", `/${kind}s/${idHere(id)}`))
    ) {
      if (!ours.has(idHere(id))) editOf(id).away = "deleted";
      ours.delete(idHere(id));
    }
  }

  /** Everything that was changed; what was deleted stays so. */
  async function discard(id: string): Promise<void> {
    const { fields, away } = editOf(id);
    // Of a partial state it is not known what is wanted; the service's file may have to be downloaded, and the change waits for it.
    const hasFile = fields.has("file");
    if (away !== null || isPartial) return;
    if (hasFile && (mode !== "now" || isFaulty())) return;
    if (!(await sendHere("DELETE", `/sync/local-changes/${idHere(id)}`)))
      return;
    fields.clear();
    if (hasFile) await waitAndCheck("discarded");
  }

  function listAt(id: string): ServicePlaylist | undefined {
    return service.state.playlists.get(id);
  }

  function assetAt(id: string, file: number): void {
    if (!service.state.assets.has(id))
      service.state.assets.set(id, { title: `Title ${id}`, file });
  }

  function addItem(playlist: string, asset: string, seconds: number): void {
    const list = listAt(playlist) ?? {
      ...{ title: `List ${playlist}`, predicate: "TRUE", isEnabled: true },
      ...{ isPriority: false, transitions: false, items: [] },
      createdAt: Date.UTC(2026, 0, 1) + Number(playlist.slice(1)),
      labels: new Set<Label>(["all"]),
    };
    service.state.playlists.set(playlist, list);
    items += 1;
    list.items.push({ id: items, asset, seconds });
  }

  /** A playlist of no screen here, under a label that has the name of the built-in one. */
  function addLookalike(): void {
    assetAt("a9", 0);
    addItem("p9", "a9", 5);
    const list = listAt("p9");
    if (list) list.labels = new Set(["lookalike"]);
  }

  const actions: {
    readonly [Name in OperationName]: (
      operation: Extract<Operation, { readonly name: Name }>,
    ) => void | Promise<void>;
  } = {
    "service adds an item": ({ asset, playlist, file, seconds }) => {
      assetAt(asset, file);
      addItem(playlist, asset, seconds);
    },
    "service removes an item": ({ playlist, place }) => {
      listAt(playlist)?.items.splice(place, 1);
    },
    "service moves an item to the front": ({ playlist, place }) => {
      const list = listAt(playlist);
      list?.items.unshift(...list.items.splice(place, 1));
    },
    "service changes an item's seconds": ({ playlist, place, seconds }) => {
      const item = listAt(playlist)?.items[place];
      if (item) item.seconds = seconds;
    },
    "service renames an asset": ({ asset, title }) => {
      const one = service.state.assets.get(asset);
      if (one) one.title = title;
    },
    "service replaces a file": ({ asset, file }) => {
      const one = service.state.assets.get(asset);
      if (one && one.file !== null && !one.pages) one.file = file;
    },
    "service makes an asset a page": ({ asset }) => {
      if (!service.state.assets.has(asset))
        service.state.assets.set(asset, { title: `Page ${asset}`, file: null });
    },
    "service adds a document": ({ asset, playlist, seconds, pages }) => {
      if (!service.state.assets.has(asset))
        service.state.assets.set(asset, {
          ...{ title: `Document ${asset}`, file: documentFile },
          pages,
        });
      addItem(playlist, asset, seconds);
    },
    "service sets the pages of its documents": ({ pages }) => {
      for (const one of service.state.assets.values())
        if (one.pages) one.pages = pages;
    },
    "service installs an app": ({ asset, playlist, file, on, seconds }) => {
      // Version 3 does not report them (V2-335).
      if (service.version === "v3") return;
      if (!service.state.assets.has(asset))
        service.state.assets.set(asset, {
          ...{ title: `App ${asset}`, file: null },
          app: {
            ...{ greeting: "Hello", page: firstPage, revision: 1 },
            ...{ files: [file, documentFile], isListed: on },
          },
        });
      addItem(playlist, asset, seconds);
    },
    "service deploys an app": ({ asset, file, on }) => {
      const one = service.state.assets.get(asset);
      if (!one?.app) return;
      const { page, files, revision } = one.app;
      one.app = {
        ...one.app,
        ...{ page: page === firstPage ? firstPage + 1 : firstPage },
        ...{ files: [file, files[0]], isListed: on, revision: revision + 1 },
      };
    },
    "service sets up an app": ({ asset, title }) => {
      const one = service.state.assets.get(asset);
      if (one?.app) one.app = { ...one.app, greeting: title };
    },
    "service puts an asset into the group": ({ asset, file, on }) => {
      assetAt(asset, file);
      const one = service.state.assets.get(asset);
      if (one) one.isGrouped = on;
    },
    "service deletes an asset": ({ asset }) => {
      service.state.assets.delete(asset);
      for (const list of service.state.playlists.values())
        list.items = list.items.filter((item) => item.asset !== asset);
    },
    "service renames a playlist": ({ playlist, title }) => {
      const list = listAt(playlist);
      if (list) list.title = title;
    },
    "service switches a playlist": ({ playlist, on }) => {
      const list = listAt(playlist);
      if (list) list.isEnabled = on;
    },
    "service sets a predicate": ({ playlist, predicate }) => {
      const list = listAt(playlist);
      if (list) list.predicate = predicate;
    },
    "service sets a predicate that cannot be read": ({ playlist }) => {
      const list = listAt(playlist);
      if (list) list.predicate = unreadablePredicate;
    },
    "service sets the priority": ({ playlist, on }) => {
      const list = listAt(playlist);
      if (list) list.isPriority = on;
    },
    "service sets transitions": ({ playlist, on }) => {
      const list = listAt(playlist);
      if (list) list.transitions = on;
    },
    "service dates a playlist": ({ playlist, place }) => {
      const list = listAt(playlist);
      if (list) list.createdAt = Date.UTC(2026, 0, 1) + place;
    },
    "service labels a playlist": ({ playlist, label, on }) => {
      const list = listAt(playlist);
      if (on) list?.labels.add(label);
      else if (list) list.labels = new Set([label]);
    },
    "service deletes a playlist": ({ playlist }) => {
      service.state.playlists.delete(playlist);
    },
    "service is emptied": () => {
      service.state = emptyService();
    },
    "person renames an asset": async ({ asset, title }) => {
      if (secondId === null)
        await changeAsset(asset, "name", title, { name: title });
    },
    "person switches an asset": ({ asset, on }) =>
      changeAsset(asset, "isEnabled", on, { is_enabled: on }),
    "person sets an asset's seconds": ({ asset, seconds }) =>
      changeAsset(asset, "seconds", seconds, { duration: seconds }),
    "person dates an asset": ({ asset, on }) => {
      const [from, to] = [
        Date.UTC(2020, 0, 1),
        Date.UTC(on ? 2021 : 2040, 0, 1),
      ];
      return changeAsset(asset, "dates", `${from}-${to}`, {
        start_date: new Date(from).toISOString(),
        end_date: new Date(to).toISOString(),
      });
    },
    "person replaces a file": async ({ asset, file }) => {
      const before = assetHere(asset);
      const bytes = images[file]?.content;
      if (before === null || before.hash === null || !bytes) return;
      const { body } = await running().upload(bytes);
      const path = `/assets/${idHere(asset)}/source`;
      if (await sendHere("POST", path, { uri: body.uri }))
        if (!ours.has(idHere(asset))) editOf(asset).fields.set("file", file);
    },
    "person trashes an asset": ({ asset }) => trash("asset", asset, "trash"),
    "person restores an asset": ({ asset }) => trash("asset", asset, "restore"),
    "person deletes an asset": ({ asset }) => trash("asset", asset, "delete"),
    "person renames a playlist": async ({ playlist, title }) => {
      if (secondId === null)
        await changePlaylist(playlist, "name", title, { name: title });
    },
    "person switches a playlist": ({ playlist, on }) =>
      changePlaylist(playlist, "isEnabled", on, { is_enabled: on }),
    "person sets a predicate": ({ playlist, predicate }) =>
      changePlaylist(playlist, "predicate", predicate, { predicate }),
    "person reverses a playlist": async ({ playlist }) => {
      const list = playlistHere(playlist);
      if (list) await setItems(playlist, [...list.items].reverse());
    },
    "person takes an item out": async ({ playlist, place }) => {
      const list = playlistHere(playlist);
      if (list && list.items.length > place)
        await setItems(playlist, list.items.toSpliced(place, 1));
    },
    "person adds an item of this player": async ({ playlist }) => {
      const list = playlistHere(playlist);
      const [local] = [...reader().read(connectionId).otherAssets.keys()];
      if (list && local !== undefined)
        await setItems(playlist, [...list.items, { asset: local, seconds: 7 }]);
    },
    "person trashes a playlist": ({ playlist }) =>
      trash("playlist", playlist, "trash"),
    "person restores a playlist": ({ playlist }) =>
      trash("playlist", playlist, "restore"),
    "person deletes a playlist": ({ playlist }) =>
      trash("playlist", playlist, "delete"),
    "person adds an asset of this player": async ({ title }) => {
      othersAdded += 1;
      // Switched off, it shows nothing from the service.
      const added = await running().add(
        { name: title, is_enabled: false },
        images[othersAdded % images.length]?.content,
      );
      ours.add(added.asset_id);
    },
    "person discards the changes of an asset": ({ asset }) => discard(asset),
    "person discards the changes of a playlist": ({ playlist }) =>
      discard(playlist),
    "a mode is set": async (operation) => {
      mode = operation.mode;
      await running().sync.changeConnection(connectionId, { mode, applyAtMs });
      await waitAndCheck("the mode is another");
    },
    "labels are set": async ({ on }) => {
      if (followsGroup) return;
      own = ownLabels(on);
      await running().sync.changeConnection(connectionId, {
        labels: on ? ["kiosk"] : [],
      });
      await waitAndCheck("labels are others");
    },
    "all assets are wanted": async (operation) => {
      if (followsGroup) return;
      allAssets = operation.mode;
      await running().sync.changeConnection(connectionId, { allAssets });
      await waitAndCheck("all assets are wanted, or not");
    },
    "what waits is applied": async () => {
      const status = await rest();
      if (status.hold === null) return;
      const isRemembered = status.isInSync === null;
      running().sync.apply(connectionId);
      await until(({ hold }) => hold === null);
      const after = await rest();
      postponed = null;
      if (isFaulty() || isPartial || isRemembered) {
        isPartial = true;
        return;
      }
      await assertHere(seen, "approved");
      noteApplied();
      if (after.isInSync !== isReadable())
        throw new Error("approved, not in_sync");
    },
    "what waits is postponed": async () => {
      const status = await rest();
      if (status.hold === null) return;
      running().sync.hold(connectionId);
      postponed = digestOf(seen);
    },
    "the version before is restored": async () => {
      await rest();
      if (isPartial || !isHistoryKnown || previous === null) return;
      try {
        await running().sync.back(connectionId);
      } catch (error) {
        if (error instanceof Failure && error.code === "conflict") return;
        throw error;
      }
      [applied, previous] = [withoutOurs(previous), applied];
      dropFilesOfGone();
      postponed = digestOf(seen);
      await rest();
      await assertHere(applied, "restored");
    },
    "the player restarts": async () => {
      await options.restart();
      await waitAndCheck("restarted");
    },
    "the player is killed": async ({ calls }) => {
      await options.killedIn(calls, async () => {
        await poll();
      });
      assertNothingTorn();
      isPartial = true;
      isHistoryKnown = false;
      await waitAndCheck("killed");
    },
    "a process of the sync is killed": async ({ ms }) => {
      // The command line does not choose between two of one address.
      if (secondId !== null || followsGroup) return;
      await options.restart((dataDir) =>
        killedAfter(ms, ["--data-dir", dataDir, "--url", service.address]),
      );
      // What it completed was timed by its own clock.
      isPartial = true;
      isHistoryKnown = false;
      await waitAndCheck("killed");
    },
    "a process of the player is killed": async ({ requests, ms, lost }) => {
      await options.restart((dataDir) =>
        killedAfterRequests(service, { dataDir, requests, ms, lost }, clock),
      );
      isPartial = true;
      isHistoryKnown = false;
      await waitAndCheck("killed");
    },
    "the clock runs": async ({ hours }) => {
      if (mode === "tonight") waiting = seen;
      clock.advance(hours * hourMs);
      await waitAndCheck("time passed");
      waiting = null;
    },
    "the clock is set": ({ hours }) => {
      clock.set(hours * hourMs);
      // The night of a waiting plan may be over now: it is applied with whatever happens next.
      if (mode === "tonight") isPartial = true;
    },
    "a file fails": ({ file, fault }) => {
      service.fileFaults.set(file, fault);
    },
    "the lists fail": ({ fault }) => {
      service.listFault = fault;
    },
    "all faults are over": () => {
      service.fileFaults.clear();
      service.listFault = null;
    },
    "answers come otherwise": ({ how }) => {
      service.transport = how;
    },
    "the connection is off for a while": async (operation) => {
      const { changes, edits: editsHere, restarts } = operation;
      await rest();
      const set = (isEnabled: boolean): Promise<unknown> =>
        running().sync.changeConnection(connectionId, { isEnabled });
      await set(false);
      await until(({ phase }) => phase === "off");
      await assertNothingElse("switched off", async () => {
        for (const change of changes) await perform(change);
      });
      for (const edit of editsHere) {
        await perform(edit);
        // Whatever a person does takes effect without the service, and nothing else changes.
        if (!isPartial) await assertHere(applied, `off, "${edit.name}"`);
      }
      if (restarts)
        await assertNothingElse("restarted while it is off", async () => {
          await options.restart();
          await until(({ phase }) => phase === "off");
        });
      await set(true);
      await waitAndCheck("on again");
    },
    "a file vanishes from the disk": async ({ file }) => {
      const { hash } = images[file] ?? {};
      // Nothing else has what a person uploaded.
      for (const { fields } of edits.values())
        if (fields.get("file") === file) return;
      if (hash === undefined || !existsSync(reader().fileOf(hash))) return;
      await rm(reader().fileOf(hash));
      // It arrives with the next poll that brings anything.
      isPartial = true;
    },
  };

  async function assertNothingElse(
    when: string,
    act: () => Promise<void>,
  ): Promise<void> {
    const before = reader().read(connectionId);
    await act();
    const after = reader().read(connectionId);
    if (!isDeepStrictEqual(after, before))
      throw new Error(
        `${when}, something else is here: ${JSON.stringify({ before, after })}`,
      );
  }

  /** Version 3 has no pairing of its own; there, the group of this screen counts. */
  function ownLabels(on: boolean): ReadonlySet<Label> {
    return new Set<Label>([
      ...["all" as const, ...(on ? ["kiosk" as const] : [])],
      ...(service.version === "v3" ? ["paired" as const] : []),
    ]);
  }

  /** Opened as it was, before the service was polled again: each playlist has its assets. */
  function assertNothingTorn(): void {
    const { here, otherAssets } = reader().read(connectionId);
    for (const [id, { items: list }] of Object.entries(here.playlists))
      for (const { asset } of list)
        if (!(asset in here.assets) && !otherAssets.has(asset))
          throw new Error(`killed: ${id} has ${asset}, which is not here`);
  }

  /** A run may have started by itself; its result is as after a poll. */
  async function waitAndCheck(when: string): Promise<void> {
    await rest();
    await check(await poll(), when);
  }

  async function reset(keeps: boolean): Promise<void> {
    const { sync, request, list, send } = running();
    service.fileFaults.clear();
    service.listFault = null;
    if (keeps && secondId === null) {
      const before = reader().read(connectionId);
      await sync.removeConnection(connectionId, true);
      const after = reader().read(connectionId);
      if (!isDeepStrictEqual(after, before))
        throw new Error(`not kept: ${JSON.stringify({ before, after })}`);
    }
    for (const { id } of sync.connections())
      await sync.removeConnection(id, false);
    const lists = (await (await request("/playlists")).json()) as {
      playlist_id: string;
    }[];
    await send("POST", "/trash", {
      asset_ids: (await list()).map(({ asset_id: id }) => id),
      playlist_ids: lists.map(({ playlist_id: id }) => id),
    });
    await request("/trash", { method: "DELETE" });
    const orphans = reader().orphans();
    if (orphans.length > 0)
      throw new Error(`left behind: ${orphans.join(", ")}`);
  }

  /** Everything is sound again: within three polls the player has what the service wants, and reports so. */
  async function heal(): Promise<void> {
    service.fileFaults.clear();
    service.listFault = null;
    for (const one of service.state.assets.values())
      if (one.app) one.app = { ...one.app, isListed: true };
    for (const list of service.state.playlists.values())
      if (list.predicate === unreadablePredicate) list.predicate = "TRUE";
    seen = desired();
    seenAsReceived = copyOf(desiredAsReceived());
    let status = await rest();
    for (let polls = 0; polls < 3; polls += 1) {
      // What was given up is retried after an hour; the service is polled automatically.
      clock.advance(2 * hourMs);
      status = await rest();
      if (status.isInSync === true && difference(seen) === null) break;
    }
    if (status.hold !== null) {
      running().sync.apply(connectionId);
      await until(({ hold }) => hold === null);
      await rest();
      status = await poll();
    }
    isPartial = true;
    postponed = null;
    await check(status, "in the end");
    if (secondId !== null) await healSecond(secondId);
    else if (!followsGroup && allAssets !== "rotation") await assertLineup();
  }

  /** It has what it should have, and keeps it when the first connection is removed. */
  async function healSecond(id: string): Promise<void> {
    const { sync } = running();
    for (let polls = 0; polls < 2; polls += 1) {
      await rest(id);
      sync.run(id);
      const { hold } = await rest(id);
      if (hold !== null) sync.apply(id);
      await until((one) => one.hold === null, id);
    }
    const { isInSync } = await rest(id);
    const wrong = differenceOfSecond(id);
    await sync.removeConnection(connectionId, false);
    const after = differenceOfSecond(id);
    if (wrong === null && after === null && isInSync === true) return;
    throw new Error(
      `second connection: ${JSON.stringify({ isInSync, wrong, after })}`,
    );
  }

  /** What is due, computed from what must be here, compared with the player's response. */
  async function assertLineup(): Promise<void> {
    const answer = await running().request("/why");
    const { due, candidates } = (await answer.json()) as WhyV2;
    const { here } = reader().read(connectionId);
    const active = here.order
      .map((id) => here.playlists[id])
      .filter((one) => one !== undefined)
      .filter(({ isEnabled, predicate }) => isEnabled && isTrue(predicate))
      .map((one) => ({
        ...one,
        items: one.items.filter(({ asset }) => isPlayable(here.assets[asset])),
      }))
      .filter(({ items: list }) => list.length > 0);
    const top = Math.max(...active.map(({ priority }) => priority));
    const expectedEntries = active
      .filter(({ priority }) => priority === top)
      .flatMap(({ items: list }) => list)
      .map(({ asset, seconds }) => [idHere(asset), seconds]);
    const reported = due.map((one) => [one.asset_id, one.duration]);
    if (isDeepStrictEqual(reported, expectedEntries)) return;
    const reasons = candidates.map(({ id, reason }) => [id, reason]);
    const found = { reported, expected: expectedEntries, reasons };
    throw new Error(`lineup: ${JSON.stringify(found)}`);
  }

  function isPlayable(asset: Here["assets"][string] | undefined): boolean {
    if (!asset?.isEnabled) return false;
    const end = Number(asset.dates.split("-")[1] || Infinity);
    return clock.now() < end && clock.now() >= Date.UTC(2020, 0, 1);
  }

  function isTrue(predicate: string): boolean {
    const isEarly = [1, 2, 3].includes(new Date(clock.now()).getUTCDay());
    const truths = [true, false, isEarly, !isEarly];
    return truths[predicates.indexOf(predicate as never)] ?? false;
  }

  return async ({
    version,
    second,
    keeps,
    before,
    steps,
    ...sequence
  }: Sequence): Promise<void> => {
    followsGroup = sequence.followsGroup;
    own = ownLabels(true);
    addLookalike();
    for (const operation of before) await perform(operation);
    connectionId = await running().connect({
      ...{ baseUrl: service.address, version, labels: ["kiosk"] },
      ...(version === "v3" && { screenId: pairedScreen }),
      ...(followsGroup && {
        ...{ labels: [], assetGroups: [groupTitle], screenId: null },
      }),
      ...{ pollSeconds: 3600, applyAtMs },
    });
    await check(await rest(), "connected");
    if (second)
      secondId = await running().connect({
        ...{ baseUrl: service.address, version, labels: ["else"] },
        ...{ name: "Second", pollSeconds: 3600 },
      });
    for (const { operation, polls } of steps) {
      await perform(operation);
      if (polls) await check(await poll(), `after "${operation.name}"`);
    }
    await heal();
    await reset(keeps);
  };

  function perform(operation: Operation): void | Promise<void> {
    const action = actions[operation.name] as (one: Operation) => void;
    return action(operation);
  }
}

function watched(library: SyncLibrary, onUse: () => void): SyncLibrary {
  return new Proxy(library, {
    get: (target, name: keyof SyncLibrary) => {
      onUse();
      return target[name];
    },
  });
}

const playerProcess = fileURLToPath(
  new URL("player-process.ts", import.meta.url),
);
/** One that has nothing to request any more is killed then. */
const longestProcessMs = 4000;

/** Runs a player process on the store, and kills it `ms` after the service has received `requests` requests from it. */
async function killedAfterRequests(
  service: FakeService,
  {
    dataDir,
    requests,
    ms,
    lost,
  }: {
    readonly dataDir: string;
    readonly requests: number;
    readonly ms: number;
    readonly lost: number;
  },
  { now }: { readonly now: () => number },
): Promise<void> {
  const words = [dataDir, String(now())];
  const child = fork(playerProcess, words, { execArgv: [] });
  const exit = new Promise<number | null>((resolve) =>
    child.once("exit", resolve),
  );
  const kill = (): void => void child.kill("SIGKILL");
  let left = requests;
  let passed = 0;
  service.onRequest = () => {
    left -= 1;
    if (left === 0) globalThis.setTimeout(kill, ms);
    passed += 1;
    return passed !== lost;
  };
  child.once("message", () => globalThis.setTimeout(kill, longestProcessMs));
  const code = await exit;
  service.onRequest = () => true;
  if (code !== null) throw new Error(`the player ended by itself: ${code}`);
}

async function killedAfter(
  ms: number,
  words: readonly string[],
): Promise<void> {
  const child = spawnSync(words, contentKey);
  child.stdin?.end();
  const exit = new Promise((resolve) => child.once("exit", resolve));
  const timer = globalThis.setTimeout(() => child.kill("SIGKILL"), ms);
  await exit;
  clearTimeout(timer);
}

/** The same for states that this version represents alike. */
function digestIn(
  version: CloudVersion,
  { assets, playlists }: ServiceState,
): string {
  const lists = [...playlists].map(([id, list]) => {
    const { title, predicate, isEnabled, isPriority } = list;
    const items = list.items.map(({ asset, seconds }) => [asset, seconds]);
    const facts = [id, title, predicate, isEnabled, isPriority, items];
    // Version 3 lists the order alone.
    const { createdAt, transitions } = list;
    return version === "v3" ? facts : [...facts, createdAt, transitions];
  });
  const order = [...playlists].sort(
    ([a, one], [b, other]) =>
      one.createdAt - other.createdAt || (a < b ? -1 : 1),
  );
  return JSON.stringify([
    ...[
      [...assets].map(([id, { title, file, pages, app, alone }]) => [
        ...[id, title, file, app && [app.greeting, app.page, app.files]],
        alone ?? "off",
        // Only this version has pages.
        ...(version === "v4.1" ? [pages] : []),
      ]),
      lists,
    ],
    ...(version === "v3" ? order.map(([id]) => id) : []),
  ]);
}

function isGivenUp(failure: SyncStatus["itemFailures"][number]): boolean {
  return failure.isGivenUp;
}

function reported(status: SyncStatus | undefined): unknown {
  if (!status) return null;
  const { phase, hold, isInSync, problem, itemFailures } = status;
  return { phase, hold, isInSync, problem, itemFailures };
}
