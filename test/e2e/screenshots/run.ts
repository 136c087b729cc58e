// Takes screenshots of every manager page for review: empty, typical and with 10,000 assets; light and dark; in every language.

import { cp, mkdir, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  openManager,
  type ManagerApp,
} from "../../support/manager/manager-app.ts";
import {
  fillShop,
  multiplyAssets,
  shopThumbnails,
} from "../../support/manager/manager-library.ts";
import { removeFolder } from "../../support/folder.ts";
import { openScreen, type VirtualScreen } from "../../support/screen/screen.ts";
import { extras } from "./extras.ts";

const out = fileURLToPath(
  new URL("../../../dist/screenshots/", import.meta.url),
);

const pages = [
  ...["now", "screens", "library", "playlists", "schedule"],
  ...["connections", "activity", "reports", "settings", "help"],
];
const languages = {
  english: "en_GB.UTF-8",
  german: "de_DE.UTF-8",
  "right-to-left": "ar_EG.UTF-8",
} as const;
const states = ["empty", "typical", "ten-thousand"] as const;
const schemes = ["light", "dark"] as const;

type State = (typeof states)[number];

/** Names such as `typical/now`; without any, all screenshots are taken. */
const requestedNames = process.argv.slice(2);

const screen = await openScreen(3840 + 660, 2160);
const base = await mkdtemp(path.join(os.tmpdir(), "vitrine-screenshots-"));
let count = 0;
try {
  await prepare(screen);
  for (const state of states)
    for (const language of Object.keys(languages) as (keyof typeof languages)[])
      for (const scheme of schemes) await take(state, language, scheme);
  console.log(`${count} images in ${out}`);
} finally {
  await removeFolder(base);
  await screen.close();
}

/** Creates the libraries once; they are copied for each language. */
async function prepare(on: VirtualScreen): Promise<void> {
  for (const state of states) {
    const manager = await openManager({
      dir: path.join(base, state),
      screen: on,
    });
    if (state !== "empty") {
      await fillShop(manager);
      await goTo(manager, "library");
      await waitForThumbnails(manager);
    }
    await manager.close();
    if (state === "ten-thousand")
      multiplyAssets(path.join(base, state, "data"), 10_000);
  }
}

/** Each series starts with the same library, so that series can be compared. */
async function take(
  state: State,
  language: keyof typeof languages,
  scheme: (typeof schemes)[number],
): Promise<void> {
  const variant = `${language}-${scheme}`;
  const names = state === "typical" ? Object.keys(extras) : [];
  if (![...pages, ...names].some((name) => isRequested(`${state}/${name}`)))
    return;
  const dir = path.join(base, `${state}-${variant}`);
  await cp(path.join(base, state), dir, { recursive: true });
  const manager = await openManager({
    dir,
    screen,
    language: languages[language],
  });
  try {
    await manager.page.emulateMedia({ colorScheme: scheme });
    for (const page of pages) {
      if (!isRequested(`${state}/${page}`)) continue;
      await goTo(manager, page);
      await shoot(manager, state, page, variant);
    }
    for (const name of names) {
      if (!isRequested(`${state}/${name}`)) continue;
      const putBack = await extras[name]?.(manager);
      await shoot(manager, state, name, variant);
      await putBack?.();
    }
  } finally {
    await manager.close();
    await removeFolder(dir);
  }
}

/** They are made one after the other, in idle moments. */
async function waitForThumbnails({ page }: ManagerApp): Promise<void> {
  await page.waitForFunction(
    (count) =>
      [
        ...document.querySelectorAll<HTMLImageElement>(".asset-thumbnail img"),
      ].filter(({ naturalWidth }) => naturalWidth > 0).length >= count,
    shopThumbnails,
  );
}

async function goTo(manager: ManagerApp, page: string): Promise<void> {
  await manager.page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${page}`);
  await manager.page.locator("#page-title").waitFor();
}

async function shoot(
  manager: ManagerApp,
  state: State,
  name: string,
  variant: string,
): Promise<void> {
  const folder = path.join(out, state);
  await mkdir(folder, { recursive: true });
  // No element is hovered.
  await manager.page.mouse.move(1, 1);
  await waitUntilDrawn(manager);
  await manager.page.screenshot({
    path: path.join(folder, `${name}-${variant}.png`),
    animations: "disabled",
  });
  count += 1;
}

/** Waits until responses, images and fonts have loaded, animations have ended, and everything is drawn. */
async function waitUntilDrawn(manager: ManagerApp): Promise<void> {
  await manager.page.waitForFunction(() => {
    const isWaiting =
      document.querySelector(".after-a-moment:not(.live-screenshot-empty)") !==
      null;
    // A lazy image outside the window is never loaded.
    const isLoaded = [...document.images].every((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      const isInView = bottom > 0 && top < innerHeight;
      return image.complete || (image.loading === "lazy" && !isInView);
    });
    const moves = document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === "running" &&
          effect?.getComputedTiming().endTime !== Infinity,
      );
    return (
      !isWaiting && isLoaded && !moves && document.fonts.status === "loaded"
    );
  });
  await manager.page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
}

function isRequested(name: string): boolean {
  return (
    requestedNames.length === 0 ||
    requestedNames.some((one) => name.includes(one))
  );
}
