// Virtual screen for machines without one: Xvfb on a display number of its own choice, open only to holders of its cookie.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Readable } from "node:stream";

export interface VirtualScreen {
  /** The value for DISPLAY. */
  readonly display: string;
  /** The value for XAUTHORITY: a file only this user can read. Without it, every user of the machine could watch and type. */
  readonly authority: string;
  close(): void;
}

export interface ScreenOptions {
  readonly width?: number;
  readonly height?: number;
  /** Keeps running when its last window has closed; otherwise it ends then, even if nobody closes it. */
  readonly stays?: boolean;
}

export function hasScreen(env: NodeJS.ProcessEnv): boolean {
  return (
    process.platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  );
}

export async function openVirtualScreen({
  width = 1920,
  height = 1080,
  stays = false,
}: ScreenOptions = {}): Promise<VirtualScreen> {
  const size = `${width}x${height}x24`;
  const dir = mkdtempSync(path.join(tmpdir(), "vitrine-screen-"));
  const authority = path.join(dir, "authority");
  writeFileSync(authority, entryForAnyDisplay(randomBytes(16)), {
    mode: 0o600,
  });
  const args = [
    "-auth",
    authority,
    "-displayfd",
    "3",
    "-screen",
    "0",
    size,
    "-nolisten",
    "tcp",
    stays ? "-noreset" : "-terminate",
  ];
  // In its own process group: a Ctrl-C on the terminal is for the app, which still needs its screen to close its windows.
  const xvfb = spawn("Xvfb", args, {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const forget = () => rmSync(dir, { recursive: true, force: true });
  const close = () => {
    xvfb.kill("SIGTERM");
    forget();
  };

  const number = await new Promise<string>((resolve, reject) => {
    let complaint = "";
    let answer = "";
    xvfb.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    (xvfb.stdio[3] as Readable).on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.endsWith("\n")) resolve(answer.trim());
    });
    xvfb.on("error", (error) => {
      forget();
      reject(new Error(`Xvfb could not be started: ${error.message}`));
    });
    xvfb.on("exit", () => {
      forget();
      reject(new Error(`Xvfb exited immediately. ${complaint.trim()}`));
    });
  });
  return { display: `:${number}`, authority, close };
}

const anyFamily = 0xffff;

/** One entry as Xau reads it (family, address, display, name, data): its display number is only known once Xvfb runs. */
function entryForAnyDisplay(cookie: Buffer): Buffer {
  const family = Buffer.alloc(2);
  family.writeUInt16BE(anyFamily);
  const fields = ["", "", "MIT-MAGIC-COOKIE-1", cookie].map((field) => {
    const bytes = Buffer.from(field);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.concat([family, ...fields]);
}
