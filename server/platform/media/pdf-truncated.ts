// Detects a truncated PDF: a complete one begins with its header, and ends with the offset of its index and the end marker.

import { open } from "node:fs/promises";

/** Readers search this many bytes for either. */
const headBytes = 1024;
const endBytes = 8192;

export async function isPdfComplete(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(size, headBytes));
    await handle.read(head, 0, head.length, 0);
    const end = Buffer.alloc(Math.min(size, endBytes));
    await handle.read(end, 0, end.length, size - end.length);
    const text = end.toString("latin1");
    const index = text.lastIndexOf("startxref");
    return (
      head.includes("%PDF-") &&
      /^startxref\s+\d+\s+%%EOF/.test(text.slice(index, index + 100))
    );
  } finally {
    await handle.close();
  }
}
