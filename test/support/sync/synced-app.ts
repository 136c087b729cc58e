// The app that tests follow through a sync: shown on every screen of the service, synced by a player, and checked there.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import {
  deploy,
  install,
  newApp,
  set,
  showEverywhere,
  type AppService,
  type InstalledApp,
} from "../content/app-service.ts";
import { claimedPlayer } from "../content/linked-player.ts";
import { png } from "../media/media.ts";
import type { RunningSync } from "./start-sync.ts";

export const secret = "sesame-open";
export const page = "<!doctype html><title>board</title>";
export const lookCss = "html{background:#1ea03c}";
export const files = {
  "index.html": page,
  "look/look.css": lookCss,
  "look/same.css": lookCss,
  "logo.png": png([9, 8, 7]),
};
export const manifest = {
  ...{ user_version: "1", ready_signal: true },
  settings: {
    greeting: { type: "string", default_value: "hi", title: "Greeting" },
    place: { type: "string", default_value: "nowhere", title: "Place" },
    word: { type: "secret", title: "Word" },
  },
};

export interface Board extends InstalledApp {
  readonly service: AppService;
}

/** One app with a setting and a secret of its own, on every screen. */
export async function startBoard(service: AppService): Promise<Board> {
  const { client } = service;
  const appId = await newApp(client);
  await deploy(client, appId, files, manifest);
  const board = await install(client, appId, "Board");
  await set(client, board, "settings", "place", "here");
  await set(client, board, "secrets", "word", secret);
  await showEverywhere(client, [board.assetId]);
  return { ...board, service };
}

/** Paired by a pin, without a link: it polls on request. */
export async function follow(
  { client, path: way }: AppService,
  running: RunningSync,
): Promise<void> {
  const { screenId, credential } = await claimedPlayer(client);
  await running.connect({ baseUrl: way.address, screenId }, credential);
}

export async function appOf(
  running: Pick<RunningSync, "player">,
  name = "Board",
) {
  const asset = running.player.assets().find((one) => one.name === name);
  const app = asset && (await running.player.appOf(asset.id));
  if (!app) return null;
  const bytes = await Promise.all(
    [...app.files].map(
      async ([at, file]) => [at, await readFile(file.path)] as const,
    ),
  );
  return { ...app, bytes: Object.fromEntries(bytes) };
}

/** Of all files below, those that contain this text. */
export async function holding(
  dir: string,
  text: string,
): Promise<readonly string[]> {
  const collected: string[] = [];
  for (const entry of await readdir(dir, {
    recursive: true,
    withFileTypes: true,
  })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(file)).includes(text))
      collected.push(path.relative(dir, file));
  }
  return collected;
}
