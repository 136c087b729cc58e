// Both supervisors, the one for Linux without systemd and the one for Windows: with a small program in the player's place.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { descriptorLimit } from "../../server/platform/process/descriptors.ts";
import { temporaryFolder } from "../support/folder.ts";

const forLinux = fileURLToPath(
  new URL("../../build/linux/vitrine-supervisor", import.meta.url),
);
const forWindows = new URL(
  "../../electron/lifecycle/windows-supervisor.ts",
  import.meta.url,
);
const orders = new URL(
  "../../electron/lifecycle/windows-supervisor-arguments.ts",
  import.meta.url,
);

/** The app's own as a program beside it: `--supervise` is what the player is told, and no word of the script's. */
const ofTheApp = `#!/bin/sh
exec "${process.execPath}" --input-type=module -e '
const { supervise } = await import("${forWindows.href}");
const { supervisionOf } = await import("${orders.href}");
const words = process.argv.slice(2);
const isAdopting = words[0] === "--adopt";
const [program, ...flags] = isAdopting ? [] : words;
const given = isAdopting ? words : ["--supervise", ...flags];
const order = supervisionOf(isAdopting ? process.env.SELF : program, given, given, process.env);
const say = (sentence) => process.stderr.write("supervisor: " + sentence + "\\n");
process.exit(await supervise({ ...order, self: process.env.SELF }, say));
' "$0" "$@"
`;

type Kind = "vitrine-supervisor" | "Vitrine.exe --supervise";

/** Its program in the test's folder. */
function programOf(kind: Kind, dir: string): string {
  if (kind === "vitrine-supervisor") return forLinux;
  const file = path.join(dir, "supervisor");
  writeFileSync(file, ofTheApp);
  chmodSync(file, 0o755);
  return file;
}

/** Beats ten times a second, and does what it is told by a file of commands. */
const player = `#!/bin/sh
echo $$ >>"$1/starts"
trap '[ -f "$1/deaf" ] || { echo ended >"$VITRINE_HEARTBEAT"; exit 0; }' TERM
beat=0
while :; do
  beat=$((beat + 1))
  [ -f "$1/hang" ] || echo $beat >"$VITRINE_HEARTBEAT"
  if [ -f "$1/exit" ]; then
    code=$(cat "$1/exit")
    rm "$1/exit"
    [ "$code" != again ] || { echo again >"$VITRINE_HEARTBEAT"; exit 75; }
    exit "$code"
  fi
  sleep 0.1
done
`;

interface Watched {
  readonly dir: string;
  readonly supervisor: string;
  readonly process: ChildProcess;
  /** Process ids in the order they started. */
  starts(): readonly number[];
  startsUntil(count: number): Promise<readonly number[]>;
  order(name: "hang" | "exit" | "deaf", content?: string): void;
  output(): string;
}

async function watchBy(
  kind: Kind,
  env: NodeJS.ProcessEnv = {},
  /** A program that starts it. */
  by: readonly string[] = [],
): Promise<Watched> {
  const dir = await temporaryFolder();
  const supervisor = programOf(kind, dir);
  const program = path.join(dir, "player");
  writeFileSync(program, player);
  chmodSync(program, 0o755);
  const [first = supervisor, ...words] = [...by, supervisor, program, dir];
  const child = spawn(first, words, {
    env: {
      PATH: process.env.PATH,
      SELF: supervisor,
      ...{ XDG_RUNTIME_DIR: dir, TMPDIR: dir },
      VITRINE_HANG_SECONDS: "2",
      VITRINE_END_SECONDS: "2",
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
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
    supervisor,
    process: child,
    starts,
    startsUntil: (count) =>
      vi.waitUntil(() => starts().length >= count && starts(), {
        interval: 20,
      }),
    order: (name, content = "") => {
      // Whole from the first moment on: the player looks at any time.
      const file = path.join(dir, name);
      writeFileSync(`${file}.part`, content);
      renameSync(`${file}.part`, file);
    },
    output: () => output,
  };
}

it.runIf(process.platform === "linux").each([
  ["256:4096", 4096],
  ["256:9000", 8192],
  ["8500:9000", 8500],
])(
  "[V2-653] vitrine-supervisor with the limit of descriptors %s starts the player with as many as it may and needs: %i",
  async (limits, most) => {
    const by = ["prlimit", `--nofile=${limits}`];
    const { startsUntil } = await watchBy("vitrine-supervisor", {}, by);
    const [pid = 0] = await startsUntil(1);
    expect(descriptorLimit(`/proc/${pid}`)).toBe(most);
  },
);

describe
  .runIf(process.platform === "linux")
  .each<Kind>(["vitrine-supervisor", "Vitrine.exe --supervise"])(
  "%s",
  (kind) => {
    const watch = (env?: NodeJS.ProcessEnv) => watchBy(kind, env);

    it("starts a killed player again, without a pause", async () => {
      const watched = await watch();
      await watched.startsUntil(1);
      process.kill(watched.starts().at(-1) ?? 0, "SIGKILL");
      await watched.startsUntil(2);
      await expect
        .poll(watched.output)
        .toContain("exited with code 137; restarting");
      expect(watched.output()).not.toContain("waits");
    });

    it("kills a silent player and starts it again", async () => {
      const watched = await watch();
      const [first = 0] = await watched.startsUntil(1);
      await expect.poll(() => heartbeatOf(watched)).toBeGreaterThan(3);
      process.kill(first, "SIGSTOP");
      await watched.startsUntil(2);
      await expect
        .poll(watched.output)
        .toContain("unresponsive for 2 s, killed");
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

    it("restarts a player that requests it with an exit code", async () => {
      const watched = await watch();
      await watched.startsUntil(1);
      watched.order("exit", "75");
      expect(await watched.startsUntil(2)).toHaveLength(2);
    });

    it("[V2-698] starts a player again that found another copy, once that may have gone", async () => {
      const watched = await watch({ VITRINE_ELSEWHERE_SECONDS: "1" });
      await watched.startsUntil(1);
      watched.order("exit", "76");
      expect(await watched.startsUntil(2)).toHaveLength(2);
      expect(watched.output()).toContain(
        "another instance is running; trying again in 1 s",
      );
    });

    it("[V2-698] reports to the player who supervises it, and by which program", async () => {
      const watched = await watch();
      const [first = 0] = await watched.startsUntil(1);
      const env = readFileSync(`/proc/${first}/environ`, "utf8").split("\0");
      expect(env).toContain(`VITRINE_SUPERVISOR=${watched.process.pid}`);
      expect(env).toContain(`VITRINE_SUPERVISOR_PROGRAM=${watched.supervisor}`);
    });

    it("[V2-698] starts a program again and again that cannot be started", async () => {
      const watched = await watch({ VITRINE_MOST_STARTS: "1" });
      await watched.startsUntil(1);
      renameSync(
        path.join(watched.dir, "player"),
        path.join(watched.dir, "moved"),
      );
      watched.order("exit", "75");
      await expect.poll(watched.output).toContain("waiting one minute");
    });

    it("ends its player when it is requested to end", async () => {
      const watched = await watch();
      const [first = 0] = await watched.startsUntil(1);
      const exit = once(watched.process, "exit");
      watched.process.kill("SIGTERM");
      await exit;
      expect(() => process.kill(first, 0)).toThrow();
      expect(watched.starts()).toHaveLength(1);
    });

    it.each([
      [
        "is silent",
        (_watched: Watched, player: number) => process.kill(player, "SIGSTOP"),
      ],
      [
        "beats on",
        (watched: Watched) => {
          watched.order("deaf");
        },
      ],
    ])(
      "told to end, kills a player that does not hear it and %s",
      async (_how, deafen) => {
        const watched = await watch();
        const [first = 0] = await watched.startsUntil(1);
        deafen(watched, first);
        const exit = once(watched.process, "exit");
        watched.process.kill("SIGTERM");
        await exit;
        await expect
          .poll(watched.output)
          .toContain("unresponsive for 2 s, killed");
        expect(() => process.kill(first, 0)).toThrow();
        expect(watched.starts()).toHaveLength(1);
      },
    );

    it("told to end while it rests from too many starts, ends at once and starts no other", async () => {
      const watched = await watch({ VITRINE_MOST_STARTS: "1" });
      await watched.startsUntil(1);
      watched.order("exit", "75");
      await expect.poll(watched.output).toContain("waiting one minute");
      const exit = once(watched.process, "exit");
      watched.process.kill("SIGTERM");
      await exit;
      // The next would have come with the end of the minute.
      expect(watched.starts()).toHaveLength(1);
    });

    it.each([
      ["is killed", (first: number) => process.kill(first, "SIGKILL")],
      [
        "asks for it",
        (_first: number, watched: Watched) => watched.order("exit", "again"),
      ],
    ])(
      "takes over a player that runs, and starts it again when that %s",
      async (_why, end) => {
        const watched = await watch();
        const [first = 0] = await watched.startsUntil(1);
        watched.process.kill("SIGKILL");
        await once(watched.process, "exit");
        const next = spawn(
          watched.supervisor,
          // prettier-ignore
          ["--adopt", String(first), path.join(watched.dir, "player"), watched.dir],
          {
            env: {
              ...{ PATH: process.env.PATH, SELF: watched.supervisor },
              VITRINE_HEARTBEAT: beatsOf(watched),
            },
            stdio: ["ignore", "ignore", "pipe"],
          },
        );
        onTestFinished(() => void next.kill("SIGKILL"));
        await once(next.stderr, "data");
        end(first, watched);
        expect(await watched.startsUntil(2)).toHaveLength(2);
      },
    );
  },
);

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
