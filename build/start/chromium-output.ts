// Keeps what Chromium and the system's libraries print off the terminal, in a log file of bounded size.

import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";

/** Two files of this size, of which the older one goes. */
const maxBytes = 1024 * 1024;
/** A line that does not end is judged by its beginning. */
const longestLine = 64 * 1024;

const noise = [
  // [1234:1123/185541.123456:ERROR:dbus/bus.cc:408]; FATAL is followed by the end of the program.
  /^\[\d+:(?:\d+:)?(?:\d{4}\/)?[\d.]+:(?:VERBOSE\d*|INFO|WARNING|ERROR):[^\]]*\]/,
  // (vitrine:1234): Gtk-WARNING **: 18:55:41.123: …
  /^\([^)]*:\d+\): [\w-]+-(?:WARNING|CRITICAL|Message|INFO|DEBUG)\b/,
  /^(?:libva (?:info|error)|libEGL warning|MESA(?:-\w+)?: |ALSA lib |Fontconfig (?:warning|error)|Gtk-Message: )/,
];

export function isNoise(line: string): boolean {
  return noise.some((pattern) => pattern.test(line));
}

interface ChromiumOutput {
  /** Where it is kept; null where nothing was, or the disk takes nothing. */
  file(): string | null;
}

/** Sends the lines of Chromium to `chromium.log` in this folder, and everything else to the terminal and there too. */
export function divertChromiumOutput(
  from: Readable,
  dir: string,
  terminal: Pick<Writable, "write"> = process.stderr,
): ChromiumOutput {
  const log = openLog(dir);
  let rest = "";

  function take(line: string): void {
    log.write(line);
    if (!isNoise(line)) terminal.write(line);
  }

  from.setEncoding("utf8");
  from.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/(?<=\n)/);
    rest = "";
    for (const line of lines)
      if (line.endsWith("\n") || line.length > longestLine) take(line);
      else rest = line;
  });
  from.on("close", () => {
    if (rest !== "") take(`${rest}\n`);
    rest = "";
  });
  from.on("error", () => undefined);
  return { file: log.file };
}

interface Log {
  write(text: string): void;
  file(): string | null;
}

/** Made with the first line. A disk that takes nothing costs the log and nothing else. */
function openLog(dir: string): Log {
  const file = path.join(dir, "chromium.log");
  let open: number | null = null;
  let bytes = 0;
  let isLost = false;

  function reopen(): number {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const opened = openSync(file, "a", 0o600);
    fchmodSync(opened, 0o600);
    bytes = fstatSync(opened).size;
    return opened;
  }

  function write(text: string): void {
    if (isLost) return;
    try {
      open ??= reopen();
      if (bytes + Buffer.byteLength(text) > maxBytes) {
        closeSync(open);
        open = null;
        renameSync(file, path.join(dir, "chromium.1.log"));
        open = reopen();
      }
      bytes += writeSync(open, text);
    } catch {
      isLost = true;
    }
  }

  return { write, file: () => (open === null ? null : file) };
}
