// A screen nobody sees, for machines without one: Xvfb on a number of its own choice.

import { spawn } from "node:child_process";
import { type Readable } from "node:stream";

export interface VirtualScreen {
  /** What goes into DISPLAY. */
  readonly display: string;
  close(): void;
}

export interface ScreenOptions {
  readonly width?: number;
  readonly height?: number;
  /** Keep it when its last window has gone; otherwise it ends by itself then, even if nobody closes it. */
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
  const args = [
    "-displayfd",
    "3",
    "-screen",
    "0",
    size,
    "-nolisten",
    "tcp",
    stays ? "-noreset" : "-terminate",
  ];
  // In a group of its own: a Ctrl-C on the terminal is for the app, which still needs its screen to close its windows.
  const xvfb = spawn("Xvfb", args, {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const close = () => void xvfb.kill("SIGTERM");

  const number = await new Promise<string>((resolve, reject) => {
    let complaint = "";
    let answer = "";
    xvfb.stderr?.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    (xvfb.stdio[3] as Readable).on("data", (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.endsWith("\n")) resolve(answer.trim());
    });
    xvfb.on("error", (error) =>
      reject(new Error(`Xvfb could not be started: ${error.message}`)),
    );
    xvfb.on("exit", () =>
      reject(new Error(`Xvfb ended at once. ${complaint.trim()}`)),
    );
  });
  return { display: `:${number}`, close };
}
