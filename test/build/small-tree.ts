// A tree in a temp folder with our settings and a few files on every floor, to plant offences in.

import { spawn } from "node:child_process";
import {
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const project = join(import.meta.dirname, "..", "..");

const settings = [
  "tsconfig.json",
  "server/core/tsconfig.json",
  "server/contract/tsconfig.json",
  "server/tsconfig.json",
  "electron/tsconfig.json",
  "renderer/tsconfig.json",
  "build/tsconfig.json",
  "test/tsconfig.json",
  "build/lint-rules.mjs",
  "build/dependency-rules.cjs",
  "build/knip.json",
  ".oxlintrc.json",
  ".oxfmtrc.json",
  ".prettierignore",
];

const manifest = {
  name: "small-tree",
  private: true,
  type: "module",
  dependencies: { zod: "*" },
  devDependencies: {
    "@types/node": "*",
    electron: "*",
    eslint: "*",
    "eslint-plugin-regexp": "*",
    "dependency-cruiser": "*",
    oxlint: "*",
    "oxlint-tsgolint": "*",
    oxfmt: "*",
    typescript: "*",
  },
};

const files = {
  "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
  "server/core/asset.ts": `// An asset, and when it is active.

export interface Asset {
  readonly endsAt: Date;
}

export function isActiveAt(asset: Asset, moment: Date): boolean {
  return moment < asset.endsAt;
}
`,
  "server/contract/v2.ts": `// The shape of an asset on the wire.

import { z } from "zod";
import type { Asset } from "../core/asset.ts";

export const asset = z.object({ endsAt: z.date() }) satisfies z.ZodType<Asset>;
`,
  "server/platform/log.ts": `// One line per event.

export function log(event: string): void {
  process.stdout.write(event);
}
`,
  "server/player/player.ts": `// The door of the player.

import { asset } from "../contract/v2.ts";
import { isActiveAt } from "../core/asset.ts";
import { log } from "../platform/log.ts";

export function show(given: unknown): void {
  if (isActiveAt(asset.parse(given), new Date())) log("asset.shown");
}
`,
  "electron/main.ts": `// The order in which the house wakes up.

import { app } from "electron";
import { show } from "../server/player/player.ts";

app.on("ready", () => {
  show({});
});
`,
  "electron/config.ts": `// Folders and ports, read once.

export const port = Number(process.env.PORT ?? 8080);
`,
  "build/start.ts": `// Starts the app and says where.

import { port } from "../electron/config.ts";

console.log(port);
`,
  "renderer/locales/en.json": `{ "title": "Vitrine" }\n`,
  "renderer/locales/messages.ts": `// Texts of the user interface.

export function t(key: string, values: object = {}): string {
  return key + JSON.stringify(values);
}
`,
  "renderer/playback/main.ts": `// Listens for showings.

import { t } from "../locales/messages.ts";

document.title = t("title");
`,
  "test/server/player/player.test.ts": `// Whether the player shows what is active.

import { show } from "../../../server/player/player.ts";

show({ endsAt: new Date() });
`,
};

/** What stands in a file, by its path below the root. */
export type Files = Readonly<Record<string, string>>;

/** The root of a new tree with these files beside, or instead of, its own. */
export async function smallTree(planted: Files = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "vitrine-check-")));
  for (const file of settings) {
    await cp(join(project, file), join(root, file));
  }
  for (const [file, content] of Object.entries({ ...files, ...planted })) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), content);
  }
  await joinPackages(root);
  return root;
}

function joinPackages(root: string): Promise<void> {
  return symlink(
    join(project, "node_modules"),
    join(root, "node_modules"),
    "junction",
  );
}

/** Wine has no junctions; Windows and Linux have. */
export async function mayJoinFolders(): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), "vitrine-join-"));
  try {
    await joinPackages(root);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTSUP") return false;
    throw error;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export interface Checked {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the check over a tree, as a developer would; all guards unless one is named. */
export async function check(root: string, only?: string): Promise<Checked> {
  const script = join(project, "build", "check.ts");
  const guard = only === undefined ? [] : ["--only", only];
  const child = spawn(process.execPath, [script, "--root", root, ...guard], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  return { code, output: out + err };
}
