// A small file written so that a power cut leaves the old one or the new one.

import { open, rename } from "node:fs/promises";
import path from "node:path";
import { flushFolder } from "../../platform/file-store.ts";

export async function writeFlushed(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.part`, "w");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.part`, file);
  await flushFolder(path.dirname(file));
}

/** The same for a file that is written already. */
export async function putFlushed(from: string, to: string): Promise<void> {
  const handle = await open(from, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(from, to);
  await flushFolder(path.dirname(to));
}
