// What the terminal shows of a start: what a person needs, and of Chromium only its last word.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { describe, expect, it } from "vitest";
import {
  divertChromiumOutput,
  isNoise,
} from "../../build/start/chromium-output.ts";
import { temporaryFolder } from "../support/folder.ts";

const mainProcess = 4711;

async function diverted(chunks: readonly string[]) {
  const dir = path.join(await temporaryFolder(), "log");
  const from = new PassThrough();
  let shown = "";
  const terminal = {
    write: (text: string) => {
      shown += text;
      return true;
    },
  };
  const output = divertChromiumOutput(from, { mainProcess, dir, terminal });
  for (const chunk of chunks) from.write(chunk);
  from.end();
  await finished(from);
  const read = (name: string) => readFileSync(path.join(dir, name), "utf8");
  return { dir, output, shown, read };
}

const bus =
  "[4711:1123/185541.123456:ERROR:bus.cc(408)] Failed to connect to the bus: no such file";

describe("the output of Chromium", () => {
  it.each([
    bus,
    "[4711:4712:1123/185541.123456:ERROR:dbus/bus.cc:408] Failed to connect to the bus",
    "[4711:1123/185541.123456:WARNING:gpu_process_host.cc(990)] Reinitialized",
    "(vitrine:4711): Gtk-WARNING **: 18:55:41.123: Theme parsing error",
    "libva error: vaGetDriverNameByIndex() failed",
    "(node:4711) electron: Failed to load URL: http://127.0.0.1:1/ with error: ERR_CONNECTION_REFUSED",
    "(Use `electron --trace-warnings ...` to show where the warning was created)",
    "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'",
    "[4712:0100/000000.829151:FATAL:zygote_linux.cc(481)] Failed to synchronise with parent zygote process",
  ])("is not for the terminal: %s", (line) => {
    expect(isNoise(line, mainProcess)).toBe(true);
  });

  it.each([
    "Port 8080 on 127.0.0.1 is already in use by another program.",
    "[4711:1123/185541.123456:FATAL:zygote_host_impl_linux.cc(90)] No usable sandbox!",
    "electron: error while loading shared libraries: libgtk-3.so.0",
    "Error: Cannot find module './main.cjs'",
    "#0 0x55d0c0 <unknown>",
    "[4711] is what the operator called it",
  ])("is, where it is why nothing starts: %s", (line) => {
    expect(isNoise(line, mainProcess)).toBe(false);
  });

  it("is distinguished line by line, however it is cut, and all of it is kept for the owner alone", async () => {
    const ours = "The disk is full.";
    const text = `${bus}\n${ours}\n${bus}\nlast words`;
    const { shown, read, dir, output } = await diverted([...text]);
    expect(shown).toBe(`${ours}\nlast words\n`);
    expect(read("chromium.log")).toBe(`${text}\n`);
    expect(output.file()).toBe(path.join(dir, "chromium.log"));
    if (process.platform !== "win32")
      expect(statSync(path.join(dir, "chromium.log")).mode & 0o777).toBe(0o600);
  });

  it("never fills the disk", async () => {
    const line = `${bus} ${"x".repeat(1000)}\n`;
    const { shown, dir } = await diverted(
      Array.from({ length: 50 }, () => line.repeat(100)),
    );
    expect(shown).toBe("");
    for (const name of ["chromium.log", "chromium.1.log"])
      expect(statSync(path.join(dir, name)).size).toBeLessThanOrEqual(2 ** 20);
  });

  it("is lost, and nothing else is, where no log can be written", async () => {
    const file = path.join(await temporaryFolder(), "file");
    writeFileSync(file, "");
    const from = new PassThrough();
    let shown = "";
    const terminal = {
      write: (text: string) => {
        shown += text;
        return true;
      },
    };
    const output = divertChromiumOutput(from, {
      mainProcess,
      dir: file,
      terminal,
    });
    from.write(`${bus}\nours\n`);
    await expect.poll(() => shown).toBe("ours\n");
    expect(output.file()).toBeNull();
  });
});
