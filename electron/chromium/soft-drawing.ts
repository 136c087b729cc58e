// Why the processor draws instead of the graphics card, kept from one start to the next for a day.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";

export interface SoftDrawing {
  /** In a sentence; null while the card draws (V2-463). */
  readonly reason: string | null;
  /** From the next start on; false where that cannot be kept. */
  begin(reason: string): boolean;
}

/** A driver may be mended meanwhile; then it is tried again. */
const lastsMs = 24 * 3_600_000;

const schema = z.object({ since: z.number(), reason: z.string().max(500) });

export function openSoftDrawing(
  dataDir: string,
  now: () => number,
): SoftDrawing {
  const file = join(dataDir, "graphics.json");
  return {
    reason: read(file, now()),
    begin: (reason) => {
      try {
        replaceFileSync(file, JSON.stringify({ since: now(), reason }));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function read(file: string, moment: number): string | null {
  try {
    const { since, reason } = schema.parse(
      JSON.parse(readFileSync(file, "utf8")),
    );
    // A clock that was set back leaves moments of the future.
    return since <= moment && moment - since < lastsMs ? reason : null;
  } catch {
    // There is none, or a power cut tore it.
    return null;
  }
}
