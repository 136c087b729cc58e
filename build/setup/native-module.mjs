// Compiles better-sqlite3 for an Electron too old for its bundled binary: once, then cached.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { electronFolder } from "./electron.mjs";
import {
  inCache,
  inProject,
  projectNode,
  readText,
  versionOf,
} from "./paths.mjs";
import { withLock } from "./setup-lock.mjs";
import { SetupStopped, step } from "./progress.mjs";
import { lastLines, runQuietly } from "./run.mjs";

// The binary shipped with better-sqlite3 needs Node-API 10 and crashes silently on anything older.
const oldestElectronServed = 36;

/** Incremented when the compilation changes, so that a binary of an older recipe is not used. */
const recipe = "r2";

/**
 * Missing from the headers: objects are freed during garbage collection, when an old Node-API forbids nearly every
 * call. This postpones the rest of the freeing until afterwards; without it the app crashes.
 */
const postFinalizer = `
#include <node_api.h>
#define NODE_API_EXPERIMENTAL_HAS_POST_FINALIZER
extern "C" napi_status node_api_post_finalizer(napi_env env, napi_finalize callback, void* data, void* hint);
`;

export function needsOwnBinding(env) {
  const version = readText(join(electronFolder(env), "version"));
  return (
    version !== undefined &&
    parseInt(version.replace(/^v/, ""), 10) < oldestElectronServed
  );
}

export async function nativeModule(env) {
  if (env.VITRINE_SQLITE_BINDING || !needsOwnBinding(env)) return;
  const version = versionOf("better-sqlite3");
  const folder = inCache(
    `better-sqlite3-${version}-${recipe}-${process.platform}-${process.arch}`,
  );
  const binding = join(folder, "better_sqlite3.node");
  if (!existsSync(binding)) {
    await withLock(inCache("locks", "better-sqlite3"), async () => {
      if (!existsSync(binding))
        await step("Compiling better-sqlite3", () => compileInto(folder));
    });
  }
  env.VITRINE_SQLITE_BINDING = binding;
}

async function compileInto(folder) {
  removeLeftovers(folder);
  const aside = mkdtempSync(`${folder}.making-`);
  try {
    await compile(aside);
    rmSync(join(aside, "sqlite3.o"));
    rmSync(join(aside, "addon.o"));
    rmSync(join(aside, "post-finalizer.h"));
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

async function compile(aside) {
  const from = inProject("node_modules", "better-sqlite3");
  const header = join(aside, "post-finalizer.h");
  writeFileSync(header, postFinalizer);
  const shared = ["-O2", "-fPIC", "-w", ...sqliteDefines(from)];
  const sqlite = [
    ...shared,
    "-std=c99",
    "-c",
    join(from, "deps/sqlite3/sqlite3.c"),
    "-o",
    join(aside, "sqlite3.o"),
  ];
  const addon = [
    ...shared,
    "-std=c++20",
    "-fvisibility=hidden",
    "-include",
    header,
    "-DNAPI_VERSION=2147483647",
    "-DNAPI_EXPERIMENTAL",
    "-DNODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT",
    "-DNAPI_DISABLE_CPP_EXCEPTIONS",
    "-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS",
    "-DBUILDING_NODE_EXTENSION",
    "-DNODE_GYP_MODULE_NAME=better_sqlite3",
    `-I${inProject("node_modules", "node-api-headers", "include")}`,
    `-I${inProject("node_modules", "node-addon-api")}`,
    `-I${join(from, "deps/sqlite3")}`,
    ...[
      "-c",
      join(from, "src/better_sqlite3.cpp"),
      "-o",
      join(aside, "addon.o"),
    ],
  ];
  await Promise.all([succeed("gcc", sqlite), succeed("g++", addon)]);

  const binding = join(aside, "better_sqlite3.node");
  const objects = [join(aside, "addon.o"), join(aside, "sqlite3.o")];
  await succeed("g++", [
    "-shared",
    ...objects,
    "-o",
    binding,
    "-Wl,-Bsymbolic",
    "-ldl",
    "-lpthread",
  ]);
  await succeed(projectNode(), ["--expose-gc", "-e", tryOut, binding]);
}

const tryOut = `
  const database = new (require("better-sqlite3"))(":memory:", { nativeBinding: process.argv[1] });
  for (let round = 0; round < 1000; round += 1)
    if (database.prepare("SELECT 6 * 7").pluck().get() !== 42) process.exit(1);
  gc();
`;

/** SQLite's defines as listed by better-sqlite3: the quoted words of a file that is JavaScript in all but name. */
function sqliteDefines(from) {
  const listed =
    (readText(join(from, "deps", "defines.gypi")) ?? "").match(
      /'[A-Z0-9_]+(=[^']*)?'/g,
    ) ?? [];
  return listed.map((quoted) => `-D${quoted.slice(1, -1)}`);
}

async function succeed(program, args) {
  const { ok, output } = await runQuietly(program, args);
  if (!ok)
    throw new SetupStopped(
      `${lastLines(output)}\n${basename(program)} could not make better-sqlite3.`,
    );
}

// Remains of an earlier attempt that was killed. Only one attempt runs at a time.
function removeLeftovers(folder) {
  mkdirSync(dirname(folder), { recursive: true });
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(`${basename(folder)}.making-`))
      rmSync(join(dirname(folder), name), { recursive: true });
  }
}
