// Monkey test of the real manager: after random actions, undo restores the exact state, nothing unconfirmed is stored, and the
// keyboard focus is never lost.

import { describe, expect, it, onTestFailed } from "vitest";
import type { PlaylistV2 } from "../../server/contract/v2/v2-playlists.ts";
import { command, focusOf, goTo } from "../support/manager/manager-page.ts";
import { sharedManager } from "../support/manager/shared-manager.ts";
import { createRandom, type Random } from "./kill/random.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const isLong = VITRINE_LONG === "1";
const seeds =
  VITRINE_SEED === undefined
    ? isLong
      ? [1, 2, 3, 4, 5]
      : [1]
    : [Number(VITRINE_SEED)];
const rounds = isLong ? 60 : 4;
const maxActions = 3;

const app = sharedManager();

interface AssetV2 {
  readonly asset_id: string;
  readonly name: string;
}

interface State {
  readonly assets: readonly AssetV2[];
  readonly playlists: readonly PlaylistV2[];
  readonly settings: unknown;
}

async function stateNow(): Promise<State> {
  const { elsewhere } = app;
  return {
    assets: await elsewhere("GET", "/assets"),
    playlists: await elsewhere("GET", "/playlists"),
    settings: await elsewhere("GET", "/device_settings"),
  };
}

type Act = (state: State, random: Random) => Promise<void>;
type Acts = Readonly<Record<string, Act>>;

const words = ["Menu", "Lunch", "Grüße", "Ende ÄÖ", "<b>", "0", "a / b"];

let made = 0;
/** Names are unique, so that a name identifies its item. */
const newName = (random: Random): string =>
  `${random.oneOf(words)} ${(made += 1)}`;

async function openAsset({ asset_id: id, name }: AssetV2): Promise<void> {
  const { page } = app;
  await goTo(page, `#/library/${id}`);
  await expect
    .poll(() => page.getByRole("textbox", { name: "Name" }).inputValue())
    .toBe(name);
}

async function openPlaylist(playlist: PlaylistV2): Promise<void> {
  const { page } = app;
  await goTo(page, `#/playlists/${playlist.playlist_id}`);
  const title = page.locator(".playlist-name-field input");
  await expect.poll(() => title.inputValue()).toBe(playlist.name);
  await expect
    .poll(() => page.locator('[data-control="grip"]').count())
    .toBe(playlist.items.length);
}

const inLibrary: Acts = {
  rename: async ({ assets }, random) => {
    await openAsset(random.oneOf(assets));
    const name = app.page.getByRole("textbox", { name: "Name" });
    await name.fill(newName(random));
    await name.press("Enter");
  },
  time: async ({ assets }, random) => {
    await openAsset(random.oneOf(assets));
    const seconds = app.page.getByRole("spinbutton", {
      name: "Seconds on the screen",
    });
    await seconds.fill(String(601 + (made += 1)));
    await seconds.press("Enter");
  },
  delete: async ({ assets }, random) => {
    await openAsset(random.oneOf(assets));
    await app.page.locator(".asset-list").focus();
    await app.page.keyboard.press("Delete");
  },
  move: async ({ assets }, random) => {
    const at = random.below(assets.length);
    await openAsset(assets[at] as AssetV2);
    await app.page.locator(".asset-list").focus();
    await app.page.keyboard.press(at === 0 ? "Alt+ArrowDown" : "Alt+ArrowUp");
  },
};

const inPlaylists: Acts = {
  rename: async ({ playlists }, random) => {
    await openPlaylist(random.oneOf(playlists));
    const title = app.page.locator(".playlist-name-field input");
    await title.fill(newName(random));
    await title.press("Enter");
  },
  "take out": async ({ playlists }, random) => {
    const filled = playlists.filter(({ items }) => items.length > 0);
    await openPlaylist(random.oneOf(filled));
    const buttons = app.page.getByRole("button", { name: /^Remove “/ });
    const place = random.below(await buttons.count());
    await buttons.nth(place).press("Enter");
  },
  move: async ({ playlists }, random) => {
    const long = playlists.filter(({ items }) => items.length > 1);
    await openPlaylist(random.oneOf(long));
    await app.page.locator('[data-control="grip"]').first().focus();
    await app.page.keyboard.press("Alt+ArrowDown");
  },
  make: async () => {
    await goTo(app.page, "#/playlists");
    await app.page
      .getByRole("button", { name: "New playlist", exact: true })
      .press("Enter");
  },
};

/** Started and cancelled with Escape: nothing may be stored. */
const unconfirmed: Acts = {
  "a name of an asset": async ({ assets }, random) => {
    await openAsset(random.oneOf(assets));
    const name = app.page.getByRole("textbox", { name: "Name" });
    await name.fill(newName(random));
    await name.press("Escape");
  },
  "a name of a playlist": async ({ playlists }, random) => {
    await openPlaylist(random.oneOf(playlists));
    const title = app.page.locator(".playlist-name-field input");
    await title.fill(newName(random));
    await title.press("Escape");
  },
  "a takeover": async () => {
    await command(app.page, "takeover", /[Tt]ake/);
    await left("dialog");
  },
  "the setting up of this PC": async () => {
    await command(app.page, "set up this pc", /Set up this PC/);
    const panel = app.page.getByRole("dialog");
    await panel.getByRole("radio", { checked: true }).focus();
    await app.page.keyboard.press("ArrowDown");
    await left("dialog");
  },
  "a setting": async (_state, random) => {
    await goTo(app.page, "#/settings/playback");
    const usual = app.page.getByLabel("Default time on screen", {
      exact: true,
    });
    await usual.fill(String(20 + random.below(9)));
    await usual.press("Escape");
  },
};

async function left(role: "dialog"): Promise<void> {
  await app.page.getByRole(role).waitFor();
  await app.page.keyboard.press("Escape");
  await app.page.getByRole(role).waitFor({ state: "detached" });
}

const hasFocus = (): Promise<void> =>
  expect.poll(() => focusOf(app.page)).not.toBe("nothing");

async function play(random: Random, note: (line: string) => void) {
  const { page } = app;
  await page.locator("#page-title").focus();
  for (let round = 0; round < rounds; round += 1) {
    const before = await stateNow();
    if (round % 2 === 1) {
      const [name, act] = random.oneOf(Object.entries(unconfirmed));
      note(`${name}, left`);
      await act(before, random);
      await hasFocus();
      expect(await stateNow()).toEqual(before);
      continue;
    }
    const acts = random.oneOf([inLibrary, inPlaylists]);
    const states: State[] = [before];
    for (
      let actions = 1 + random.below(maxActions);
      actions > 0;
      actions -= 1
    ) {
      const last = states.at(-1) ?? before;
      const [name, act] = random.oneOf(Object.entries(acts));
      note(`${acts === inLibrary ? "asset" : "playlist"}: ${name}`);
      await act(last, random);
      await expect.poll(stateNow).not.toEqual(last);
      await hasFocus();
      states.push(await stateNow());
    }
    states.pop();
    for (const state of states.toReversed()) {
      await page.locator("#page-title").focus();
      note("undo");
      await page.keyboard.press("Control+z");
      await expect.poll(stateNow).toEqual(state);
      await hasFocus();
    }
  }
  // A late change, such as a response still in progress, would be visible now.
  await page.locator("#page-title").focus();
}

describe("a monkey at the manager", () => {
  it.each(seeds)(
    "restores the exact state by undo, stores only confirmed changes and never loses the keyboard focus (seed %i)",
    async (seed) => {
      const done: string[] = [];
      onTestFailed(() =>
        console.log(`Seed ${seed}:\n${done.slice(-20).join("\n")}`),
      );
      const ids: string[] = [];
      for (const name of ["A", "B", "C", "D"])
        ids.push(await app.add(name, [9, 40 + ids.length * 50, 90]));
      await app.openPlaylist("First", { items: ids });
      await app.openPlaylist("Second", { items: ids.slice(0, 2) });
      await play(createRandom(seed), (line) => done.push(line));
    },
  );
});
