// Walks the outermost boxes of an MP4 file: one that ends behind the file's end was cut off.

import { open } from "node:fs/promises";

/** A fragmented film has two for each fragment. */
const maxBoxes = 200_000;

export async function hasBoxesToItsEnd(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { size: end } = await handle.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    for (let count = 0; at < end && count < maxBoxes; count += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      // Some writers leave a few stray bytes.
      if (bytesRead < 8) return true;
      const short = head.readUInt32BE(0);
      // To the end of the file, whatever that is.
      if (short === 0) return true;
      if (short === 1 && bytesRead < 16) return false;
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // No box at all: what is behind the last one is no part of the film.
      if (size < 8) return true;
      at += size;
    }
    return at <= end;
  } finally {
    await handle.close();
  }
}
