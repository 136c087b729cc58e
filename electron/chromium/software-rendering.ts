// Software rendering: why it is used instead of the graphics card, remembered across restarts for a day.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";

export interface SoftDrawing {
  /** In a sentence; null while the card draws (V2-463). */
  readonly reason: string | null;
  /** Takes effect at the next start; false where that cannot be stored. */
  begin(reason: string): boolean;
}

/** A driver may be fixed meanwhile; then the card is tried again. */
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
    // A clock that was set back leaves times in the future.
    return since <= moment && moment - since < lastsMs ? reason : null;
  } catch {
    // The file does not exist, or was torn by a power cut.
    return null;
  }
}
