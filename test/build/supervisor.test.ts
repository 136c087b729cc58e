// The supervisor for machines without systemd: with a small program in the player's place.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../support/folder.ts";

const supervisor = fileURLToPath(
  new URL("../../build/linux/vitrine-supervisor", import.meta.url),
);

/** Beats ten times a second, and does what it is told by a file of commands. */
const player = `#!/bin/sh
echo $$ >>"$1/starts"
trap 'echo ended >"$VITRINE_HEARTBEAT"; exit 0' TERM
beat=0
while :; do
  beat=$((beat + 1))
  [ -f "$1/hang" ] || echo $beat >"$VITRINE_HEARTBEAT"
  if [ -f "$1/exit" ]; then
    code=$(cat "$1/exit")
    rm "$1/exit"
    exit "$code"
  fi
  sleep 0.1
done
`;

interface Watched {
  readonly dir: string;
  readonly process: ChildProcess;
  /** Process ids in the order they started. */
  starts(): readonly number[];
  startsUntil(count: number): Promise<readonly number[]>;
  order(name: "hang" | "exit", content?: string): void;
  said(): string;
}

async function watch(): Promise<Watched> {
  const dir = await temporaryFolder();
  const program = path.join(dir, "player");
  writeFileSync(program, player);
  chmodSync(program, 0o755);
  const child = spawn(supervisor, [program, dir], {
    env: {
      PATH: process.env.PATH,
      XDG_RUNTIME_DIR: dir,
      VITRINE_HANG_SECONDS: "2",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const starts = () => {
    const file = path.join(dir, "starts");
    if (!existsSync(file)) return [];
    // It is there a moment before its first line is.
    return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
  };
  onTestFinished(() => {
    child.kill("SIGKILL");
    for (const pid of starts())
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
  });
  return {
    dir,
    process: child,
    starts,
    startsUntil: (count) =>
      vi.waitUntil(() => starts().length >= count && starts(), {
        timeout: 15_000,
        interval: 20,
      }),
    order: (name, content = "") => writeFileSync(path.join(dir, name), content),
    said: () => said,
  };
}

describe.runIf(process.platform === "linux")("the supervisor", () => {
  it("starts a killed player again, within three seconds", async () => {
    const watched = await watch();
    const [first = 0] = await watched.startsUntil(1);
    const from = performance.now();
    process.kill(first, "SIGKILL");
    await watched.startsUntil(2);
    expect(performance.now() - from).toBeLessThan(3000);
    expect(watched.said()).toContain("ended with 137, starts again");
  });

  it("kills a silent player and starts it again", async () => {
    const watched = await watch();
    const [first = 0] = await watched.startsUntil(1);
    await vi.waitUntil(() => heartbeatOf(watched) > 3);
    process.kill(first, "SIGSTOP");
    await watched.startsUntil(2);
    expect(watched.said()).toContain("silent for 2 s, killed");
    expect(() => process.kill(first, 0)).toThrow();
  });

  it.each([
    ["0, as it was told to", "0", 0],
    ["2, as its flags are wrong", "2", 2],
  ])("ends with a player that ends with %s", async (_why, code, expected) => {
    const watched = await watch();
    await watched.startsUntil(1);
    const exit = once(watched.process, "exit");
    watched.order("exit", code);
    expect(await exit).toEqual([expected, null]);
    expect(watched.starts()).toHaveLength(1);
  });

  it("starts a player again that asks for it with a code", async () => {
    const watched = await watch();
    await watched.startsUntil(1);
    watched.order("exit", "75");
    expect(await watched.startsUntil(2)).toHaveLength(2);
  });

  it("ends its player when it is told to end", async () => {
    const watched = await watch();
    const [first = 0] = await watched.startsUntil(1);
    const exit = once(watched.process, "exit");
    watched.process.kill("SIGTERM");
    await exit;
    expect(() => process.kill(first, 0)).toThrow();
    expect(watched.starts()).toHaveLength(1);
  });

  it("takes over a player that runs, and starts it again when that is killed", async () => {
    const watched = await watch();
    const [first = 0] = await watched.startsUntil(1);
    watched.process.kill("SIGKILL");
    await once(watched.process, "exit");
    const next = spawn(
      supervisor,
      // prettier-ignore
      ["--adopt", String(first), path.join(watched.dir, "player"), watched.dir],
      {
        env: { PATH: process.env.PATH, VITRINE_HEARTBEAT: beatsOf(watched) },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    onTestFinished(() => void next.kill("SIGKILL"));
    await once(next.stderr, "data");
    process.kill(first, "SIGKILL");
    expect(await watched.startsUntil(2)).toHaveLength(2);
  });
});

function beatsOf({ starts }: Watched): string {
  const [pid = 0] = starts();
  const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  return (
    env.find((entry) => entry.startsWith("VITRINE_HEARTBEAT="))?.slice(18) ?? ""
  );
}

function heartbeatOf(watched: Watched): number {
  return Number(readFileSync(beatsOf(watched), "utf8"));
}
