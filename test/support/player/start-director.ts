// The real director over a real store, without its interface: with a fake stage and a manual clock.

import path from "node:path";
import { onTestFinished } from "vitest";
import type { Asset } from "../../../server/core/asset.ts";
import type { PlaylistItem } from "../../../server/core/playlist.ts";
import {
  migrateSqlite,
  openSqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import type { Log } from "../../../server/platform/log.ts";
import {
  createDirector,
  type Director,
} from "../../../server/player/playback/director.ts";
import {
  createLibrary,
  type AssetDraft,
  type Library,
} from "../../../server/player/library/library.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";
import { createPause } from "../../../server/player/playback/pause.ts";
import {
  createPlaylists,
  type PlaylistDraft,
  type Playlists,
} from "../../../server/player/playlists/playlists.ts";
import { createScheduleInputs } from "../../../server/player/playback/schedule-inputs.ts";
import {
  createSettings,
  type SettingsStore,
} from "../../../server/player/settings.ts";
import type { Fault } from "../../../server/core/director/planned-showing.ts";
import {
  createTakeovers,
  type Takeovers,
} from "../../../server/player/playback/takeover.ts";
import { createWriteQueue } from "../../../server/player/playback/write-queue.ts";
import { manualClock, flushPromises, type ManualClock } from "../clock.ts";
import { temporaryFolder } from "../folder.ts";
import { rememberingStage, type RememberingStage } from "./stage.ts";

export interface RunningDirector {
  readonly director: Director;
  readonly stage: RememberingStage;
  readonly clock: ManualClock;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly settings: SettingsStore;
  readonly takeovers: Takeovers;
  readonly faults: readonly Fault[];
  /** Names of the events in the log, with their fields. */
  readonly logged: readonly {
    readonly event: string;
    readonly logFields: object;
  }[];
  readonly file: string;
  /** A page that has been due for a long time. */
  add(name: string, overrides?: Partial<AssetDraft>): Asset;
  /** One that plays only where a playlist names it. */
  addItem(name: string, overrides?: Partial<AssetDraft>): Asset;
  remove(asset: Asset): void;
  /** A playlist with an item for each asset, with usual settings by default. */
  addPlaylist(
    name: string,
    assets: readonly Asset[],
    overrides?: Partial<PlaylistDraft>,
  ): { readonly id: string; readonly items: readonly PlaylistItem[] };
  visible(): string | undefined;
}

export interface StartDirectorOptions {
  readonly file?: string;
  readonly clock?: ManualClock;
  readonly random?: () => number;
  /** Of the machine, while no setting replaces it. */
  readonly zone?: () => string;
}

export async function startDirector(
  options: StartDirectorOptions = {},
): Promise<RunningDirector> {
  const file = options.file ?? path.join(await temporaryFolder(), "vitrine.db");
  const database = openSqlite(file);
  migrateSqlite(database, playerMigrations);
  const clock = options.clock ?? manualClock();
  const stage = rememberingStage();
  const { log, logged } = rememberingLog();
  let createdCount = 0;
  const makeId = (): string =>
    `${Math.round(clock.now()).toString(16)}${(createdCount += 1).toString(16)}`.padStart(
      32,
      "0",
    );
  const library = createLibrary({ database, makeId, now: clock.now });
  const playlists = createPlaylists({ database, makeId, now: clock.now });
  const settings = createSettings(database);
  const takeovers = createTakeovers({
    ...{ database, library, clock, makeId, log },
  });
  const machineZone = options.zone;
  const scheduleInputs = createScheduleInputs(playlists, settings);
  const director = createDirector({
    ...{ library, takeovers, stage, clock, makeId, log },
    pause: createPause(clock),
    writes: createWriteQueue({ database, clock, log }),
    scheduleInputs: machineZone
      ? {
          ...scheduleInputs,
          screen: () => ({ zone: machineZone(), groups: [] }),
        }
      : scheduleInputs,
    random: options.random ?? (() => 0.5),
    idleScreen: () => ({
      ...{ playerName: "card", apiAddress: "", isAddressShown: true },
      ...{ codeAddress: null, isForPhones: false, fingerprint: null },
      ...{ dateFormat: "yyyy-mm-dd", is24Hour: true },
      zone: machineZone?.() ?? "UTC",
    }),
  });
  const faults: Fault[] = [];
  director.onFault((fault) => faults.push(fault));
  onTestFinished(() => {
    director.stop();
    takeovers.stop();
    database.close();
  });
  settings.change({ timezone: "UTC" });
  director.start();
  await flushPromises();
  const add: RunningDirector["add"] = (name, overrides = {}) =>
    library.create({
      ...{ name, uri: `https://example.org/${name}`, mimetype: "webpage" },
      ...{ startsAt: 0, endsAt: Date.UTC(2100, 0, 1) },
      ...{ durationSeconds: 10, isEnabled: true, ...overrides },
    });
  return {
    ...{ director, stage, clock, library, playlists, settings, takeovers },
    ...{ faults, logged, file },
    visible: () => stage.visible()?.name,
    add,
    addItem: (name, overrides = {}) =>
      add(name, { ...overrides, extras: { isPlaylistOnly: true } }),
    remove: ({ id }) => {
      library.remove(id);
      playlists.readAgain();
    },
    addPlaylist: (name, assets, overrides = {}) =>
      playlists.create({
        ...{ name, predicate: "TRUE", priority: 0, isEnabled: true },
        ...{ groups: [], transition: null, isShuffled: null },
        items: assets.map(({ id }) => ({ assetId: id, durationSeconds: null })),
        ...overrides,
      }),
  };
}

function rememberingLog() {
  const logged: { event: string; logFields: object }[] = [];
  const note = (event: string, logFields: object = {}): void => {
    logged.push({ event, logFields });
  };
  const log: Log = {
    ...{ debug: note, info: note, warn: note, error: note },
    with: () => log,
    isDebugging: () => false,
    setDebugging: () => undefined,
    close: () => Promise.resolve(),
  };
  return { log, logged };
}

/** With these images, the first of them on the screen. */
export async function startDirectorWith(
  ...names: string[]
): Promise<RunningDirector> {
  const running = await startDirector();
  for (const name of names) running.add(name);
  await flushPromises();
  return running;
}

/** The problem recorded for the asset of that name. */
export function problemOf(
  { library }: Pick<RunningDirector, "library">,
  name: string,
): string | null {
  return library.assets().find((one) => one.name === name)?.problem ?? null;
}

export function idOf(
  { library }: Pick<RunningDirector, "library">,
  name: string,
): string {
  return library.assets().find((one) => one.name === name)?.id ?? "";
}
