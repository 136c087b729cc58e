// One manager for all tests of a file, with an empty player at the beginning of each.

import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { OperationName } from "../../../server/contract/ipc/ipc-operate.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { goTo } from "./manager-page.ts";
import {
  openManager,
  defaultSize,
  type ManagerApp,
  type ManagerAppOptions,
} from "./manager-app.ts";
import { png, type Colour } from "../media/media.ts";

export interface SharedManager {
  readonly manager: ManagerApp;
  readonly page: Page;
  /** The page that is open in the frame. */
  readonly main: Locator;
  /** An image of this colour that stays for ten minutes; returns its identifier. */
  add(name: string, colour?: Colour): Promise<string>;
  /** The player's assets in the order of play. */
  assets(): Promise<readonly AssetV2[]>;
  /** Their names. */
  order(): Promise<readonly (string | null)[]>;
  /** An operation of the player, requested as the window does; returns its result. */
  operate<Answer>(
    operation: OperationName,
    options?: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
  /** Not in the window, but as another client of the player's interface. */
  elsewhere<Answer = unknown>(
    method: string,
    at: string,
    body?: object,
  ): Promise<Answer>;
  /** A playlist with these fields, created over the interface and opened in the window. */
  openPlaylist(
    name: string,
    fields?: Readonly<Record<string, unknown>>,
  ): Promise<PlaylistV2>;
  /** The library, once it shows exactly what the player has now: nothing is left of the previous test. */
  openLibrary(): Promise<void>;
}

export function sharedManager(options: ManagerAppOptions = {}): SharedManager {
  let manager: ManagerApp | null = null;
  let atFirst: Settings = {};
  let isFresh = true;
  const opened = (): ManagerApp => {
    if (!manager) throw new Error("The desk is not open yet.");
    return manager;
  };
  beforeAll(async () => {
    manager = await openManager(options);
    atFirst = await settingsOf(manager);
  });
  afterAll(async () => {
    await manager?.close();
    await manager?.screen.close();
  });
  beforeEach(async () => {
    // Before the first test there is nothing to reset.
    if (!isFresh) await empty(opened(), atFirst, options);
    isFresh = false;
    await showNow(opened().page);
  });
  const operate: SharedManager["operate"] = async <Answer>(
    operation: OperationName,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> => {
    const outcome = await opened().page.evaluate(
      ([of, more]) => window.manager.operate({ operation: of, ...more }),
      [operation, options] as const,
    );
    return (outcome as { answer: Answer }).answer;
  };
  return {
    operate,
    elsewhere: async <Answer>(method: string, at: string, body?: object) => {
      const answer = await fetch(`${opened().api}/api/v2${at}`, {
        method,
        ...(body && {
          ...{ body: JSON.stringify(body) },
          headers: { "Content-Type": "application/json" },
        }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
      return (text === "" ? null : JSON.parse(text)) as Answer;
    },
    openPlaylist: async (name, fields = {}) => {
      const { page } = opened();
      const body = { name, ...fields };
      const created = await operate<PlaylistV2>("createPlaylist", { body });
      await goTo(page, `#/playlists/${created.playlist_id}`);
      // Not that of the previous test, which disappears a moment later.
      const title = page.locator(".playlist-name-field input");
      await expect.poll(() => title.inputValue()).toBe(name);
      return created;
    },
    get manager() {
      return opened();
    },
    get page() {
      return opened().page;
    },
    get main() {
      return opened().page.locator("main");
    },
    add: async (name, colour = [10, 90, 10]) => {
      const options = { name, mimetype: "image", duration: 600 };
      return (await opened().addFile(png(colour), options)).asset_id;
    },
    assets: () => operate<readonly AssetV2[]>("listAssets"),
    order: async () =>
      (await operate<readonly AssetV2[]>("listAssets")).map(({ name }) => name),
    openLibrary: async () => {
      const { page } = opened();
      await goTo(page, "#/library");
      await expect
        .poll(() => page.evaluate(shownAndHad))
        .toEqual({ same: true, shown: expect.any(Array) });
    },
  };
}

/** In the page: the assets that the library shows, and whether the player has these, in this order, and no others. */
async function shownAndHad() {
  const cards = document.querySelectorAll(".asset-list [data-asset]");
  const shown = [...cards].map((card) => card.getAttribute("data-asset"));
  const outcome = await window.manager.operate({ operation: "listAssets" });
  const { answer } = outcome as { answer: readonly { asset_id: string }[] };
  const had = answer.map(({ asset_id: id }) => id);
  const same = had.join() === shown.join();
  const place = had.length > 0 ? ".asset-list" : ".empty";
  return { same: same && document.querySelector(place) !== null, shown };
}

type Settings = Readonly<Record<string, unknown>>;

async function settingsOf({ api }: ManagerApp): Promise<Settings> {
  const answer = await fetch(`${api}/api/v2/device_settings`);
  return (await answer.json()) as Settings;
}

/** Everything that a test can change is reset to its state at the start, whatever the previous test did or left unfinished. */
async function empty(
  manager: ManagerApp,
  atFirst: Settings,
  { width, height }: ManagerAppOptions,
): Promise<void> {
  const { page } = manager;
  await page.mouse.up();
  const now = await settingsOf(manager);
  const changed = Object.entries(atFirst).filter(
    ([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value),
  );
  await page.evaluate(async (settings) => {
    const { operate } = window.manager;
    const list = async (
      operation:
        | "listAssets"
        | "listPlaylists"
        | "listSyncAccounts"
        | "listTokens",
    ) => {
      const outcome = await operate({ operation });
      return outcome.isDone ? (outcome.answer as readonly object[]) : [];
    };
    const idsOf = async (
      operation: Parameters<typeof list>[0],
      name: string,
    ): Promise<readonly string[]> =>
      (await list(operation)).map((row) =>
        String((row as Record<string, unknown>)[name]),
      );
    await operate({ operation: "endTakeover" });
    await operate({ operation: "resumePlayback" });
    await operate({ operation: "endPairing" });
    for (const id of await idsOf("listSyncAccounts", "account_id"))
      await operate({ operation: "deleteSyncAccount", parameters: { id } });
    for (const id of await idsOf("listPlaylists", "playlist_id"))
      await operate({ operation: "deletePlaylist", parameters: { id } });
    for (const id of await idsOf("listTokens", "id"))
      await operate({ operation: "revokeToken", parameters: { id } });
    const ids = await idsOf("listAssets", "asset_id");
    if (ids.length > 0)
      await operate({ operation: "moveToTrash", body: { asset_ids: ids } });
    await operate({ operation: "emptyTrash" });
    if (Object.keys(settings).length > 0)
      await operate({ operation: "changeSettings", body: settings });
    if ((await window.manager.readHosting({})).isOn)
      await window.manager.changeHosting({ isOn: false });
    // Language, appearance and views; reloading the page discards its dialogs, notices, drafts and undo steps.
    localStorage.clear();
    history.replaceState(null, "", "#/now");
  }, Object.fromEntries(changed));
  await page.reload();
  await page.locator(".shell").waitFor();
  const [across, down] = [
    width ?? defaultSize.width,
    height ?? defaultSize.height,
  ];
  const isOther = await page.evaluate(
    (size) => innerWidth !== size.across || innerHeight !== size.down,
    { across, down },
  );
  if (isOther) await manager.resize(across, down);
}

async function showNow(page: Page): Promise<void> {
  await goTo(page, "#/now");
  // The end of a takeover is shown here a moment later.
  await page.locator('.takeover-button[data-on="false"]').waitFor();
}
