// Keeps the output of Chromium, Node.js and system libraries off the terminal, in a log file of bounded size.

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

/** Two files of this size, of which the older is dropped. */
const maxBytes = 1024 * 1024;
/** A line that does not end is classified by its beginning. */
const longestLine = 64 * 1024;

const noise = [
  // [1234:1123/185541.123456:ERROR:dbus/bus.cc:408]; after FATAL the program ends.
  /^\[\d+:(?:\d+:)?(?:\d{4}\/)?[\d.]+:(?:VERBOSE\d*|INFO|WARNING|ERROR):[^\]]*\]/,
  // (vitrine:1234): Gtk-WARNING **: 18:55:41.123: …
  /^\([^)]*:\d+\): [\w-]+-(?:WARNING|CRITICAL|Message|INFO|DEBUG)\b/,
  // (node:1234) electron: Failed to load URL: …, and how to trace it, for developers.
  /^\(node:\d+\) |^\(Use `[^`]*--trace-(?:warnings|deprecation)/,
  /^(?:libva (?:info|error)|libEGL warning|MESA(?:-\w+)?: |ALSA lib |Fontconfig (?:warning|error)|Gtk-Message: )/,
];

/** Its process, named by its id, ends after this line. */
const fatal = /^\[(\d+):(?:\d+:)?(?:\d{4}\/)?[\d.]+:FATAL:[^\]]*\]/;

/** The app replaces its helper processes; a fatal error of its main process is why it ends. */
export function isNoise(line: string, mainProcess: number): boolean {
  const process = fatal.exec(line)?.[1];
  if (process !== undefined) return Number(process) !== mainProcess;
  return noise.some((pattern) => pattern.test(line));
}

interface ChromiumOutput {
  /** Path of the log; null when nothing was logged, or the disk is not writable. */
  file(): string | null;
}

interface Diversion {
  /** Id of the app's main process. */
  readonly mainProcess: number;
  readonly dir: string;
  readonly terminal?: Pick<Writable, "write">;
}

/** Diverts Chromium's lines to `chromium.log` in this folder; everything else goes to the terminal as well. */
export function divertChromiumOutput(
  from: Readable,
  { mainProcess, dir, terminal = process.stderr }: Diversion,
): ChromiumOutput {
  const log = openLog(dir);
  let rest = "";

  function take(line: string): void {
    log.write(line);
    if (!isNoise(line, mainProcess)) terminal.write(line);
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

/** Created with the first line. On a disk that is full or read-only only the log is lost. */
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
