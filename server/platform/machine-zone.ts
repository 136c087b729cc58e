// The time zone of the machine, also after it has been changed while the process runs.

import { lstatSync } from "node:fs";

export interface ZoneSource {
  /** What the system's zone is set by: a link that is replaced with each change, or a file. */
  readonly file: string;
  /** Makes the process determine the zone again. */
  readonly redetect: () => void;
}

const systemZone: ZoneSource = {
  file: "/etc/localtime",
  redetect: () => {
    // Node determines it again whenever this variable changes; a zone that is set by it stays, of course.
    if (process.env["TZ"] === undefined) delete process.env["TZ"];
  },
};

/**
 * A process determines its zone once. Chromium notices a change by itself, and Intl with it, but not the methods of Date, and Node
 * alone notices none. Systems without that file (Windows) have no change that Chromium misses.
 */
export function watchedZone({
  file,
  redetect,
}: ZoneSource = systemZone): () => string {
  let before = versionOf(file);
  return () => {
    const version = versionOf(file);
    // Between a removal and its successor there is none.
    if (version !== null && version !== before) {
      before = version;
      redetect();
    }
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
  };
}

function versionOf(file: string): string | null {
  try {
    const { ino, mtimeMs, size } = lstatSync(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return null;
  }
}
