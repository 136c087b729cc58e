// Offline bundles on the command line: export to a file, import from a file or folder, and list the trusted keys.

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { Failure } from "../../../core/failure.ts";
import type { OfflineBundles } from "../offline-bundle/offline-bundle.ts";
import { moveFile } from "../../../platform/files/replace-file.ts";

export const planUsage = `  npm run sync -- export FILE --data-dir DIR [--account ID]
  npm run sync -- import FILE-OR-FOLDER --data-dir DIR [--account ID] [--trust FINGERPRINT]
  npm run sync -- keys --data-dir DIR
Stop the player that uses that folder first. An offline bundle signed with an untrusted key is rejected, and the fingerprint is printed.`;

export interface OpenedPlans {
  readonly offlineBundles: OfflineBundles;
  end(): Promise<void>;
}

const flags = {
  "data-dir": { type: "string" },
  account: { type: "string" },
  trust: { type: "string" },
} as const;

/** Null if the words are not one of these commands. */
export function planCommand(
  words: readonly string[],
): ((open: (dataDir: string) => Promise<OpenedPlans>) => Promise<void>) | null {
  const [command = ""] = words;
  if (!["export", "import", "keys"].includes(command)) return null;
  const { values, positionals } = read(words.slice(1));
  const [place] = positionals;
  const { account: connectionId, trust } = values;
  const dataDir = values["data-dir"];
  const isPlaceless = command === "keys";
  if (
    dataDir === undefined ||
    positionals.length !== (isPlaceless ? 0 : 1) ||
    (trust !== undefined && !/^[0-9a-f]{64}$/.test(trust))
  )
    throw new Failure("malformed", `Usage:\n${planUsage}`);
  return async (open) => {
    const { offlineBundles, end } = await open(path.resolve(dataDir));
    try {
      if (place === undefined) await printKeys(offlineBundles);
      else if (command === "export")
        await write(offlineBundles, path.resolve(place), connectionId);
      else
        await take(offlineBundles, path.resolve(place), {
          connectionId,
          trust,
        });
    } finally {
      await end();
    }
  };
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: flags,
      allowPositionals: true,
    });
  } catch (error) {
    throw new Failure(
      "malformed",
      `${(error as Error).message}\nUsage:\n${planUsage}`,
    );
  }
}

/** Gets its final name only when complete: a USB stick may be pulled out at any moment. */
async function write(
  offlineBundles: OfflineBundles,
  file: string,
  connectionId: string | undefined,
): Promise<void> {
  const { content } = await offlineBundles.exportPlan(connectionId);
  const aside = `${file}.part`;
  try {
    await pipeline(content, createWriteStream(aside, { flush: true }));
    await moveFile(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  const { own } = await offlineBundles.keys();
  console.log(`${file}\nsigned by ${own}`);
}

async function take(
  offlineBundles: OfflineBundles,
  place: string,
  options: Parameters<OfflineBundles["importFrom"]>[1],
): Promise<void> {
  const { from, assets, playlists } = await offlineBundles.importFrom(
    place,
    options,
  );
  console.log(`${assets} assets, ${playlists} playlists of ${from}`);
}

async function printKeys(offlineBundles: OfflineBundles): Promise<void> {
  const { own, trusted } = await offlineBundles.keys();
  console.log(`${own} this player`);
  for (const { fingerprint, name } of trusted)
    console.log(`${fingerprint} ${name}`);
}
