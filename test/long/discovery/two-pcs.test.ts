// A player and a manager on two PCs: network namespaces of Linux with a cable between them.

import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { afterThisTest } from "../../support/after-this-test.ts";

const inHere = (name: string): string =>
  fileURLToPath(new URL(name, import.meta.url));

/** Namespaces of its own, for root and, where the system permits it, for others. */
const apart = ["-rn", "--fork", "--pid", "--mount-proc"];
const hasNamespaces =
  spawnSync("unshare", [...apart, "ip", "link", "add", "type", "veth"])
    .status === 0;

/**
 * A shell in the player's namespace that runs what it reads; `beyond` runs something in the manager's. Whatever is still running
 * ends with the shell, the first process of its namespace.
 */
const shell = `
ip link set lo up
unshare -n sleep 3600 & other=$!
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
ip link add v0 type veth peer name v1
ip link set v1 netns $other
beyond() { nsenter -t $other -n "$@"; }
while read -r line; do eval "$line"; done
`;

it.runIf(hasNamespaces)(
  "[V2-762] [V2-763] [V2-767] a player is found on another PC once there is a network, leaves, returns, and the cable is pulled",
  async () => {
    const pcs = spawn("unshare", [...apart, "bash", "-c", shell], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const isOver = new Promise((resolve) => pcs.once("close", resolve));
    afterThisTest(async () => {
      pcs.stdin.end();
      await isOver;
    });
    let output = "";
    pcs.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const run = (command: string): boolean => pcs.stdin.write(`${command}\n`);
    const node = `'${process.execPath}'`;
    const start = (name: string): boolean =>
      run(`${node} '${inHere("announce.ts")}' '${name}' 8080 & player=$!`);
    const listed = (): { names: string[]; problem: string | null } =>
      JSON.parse(output.trimEnd().split("\n").at(-1) || "{}") as never;

    run(`beyond ${node} '${inHere("find.ts")}' & finder=$!`);
    start("Foyer");
    await vi.waitFor(() => expect(listed().problem).toContain("not connected"));
    run("ip addr add 10.77.0.1/24 dev v0; ip link set v0 up");
    run("beyond ip addr add 10.77.0.2/24 dev v1; beyond ip link set v1 up");
    await vi.waitFor(() => expect(listed().names).toEqual(["Foyer 10.77.0.1"]));
    expect(listed().problem).toBeNull();
    run("kill $player; wait $player");
    await vi.waitFor(() => expect(listed().names).toEqual([]));
    start("Canteen");
    await vi.waitFor(() =>
      expect(listed().names).toEqual(["Canteen 10.77.0.1"]),
    );
    // Killed without taking its leave, and started again.
    run("kill -9 $player; wait $player");
    start("Foyer");
    await vi.waitFor(() => expect(listed().names).toEqual(["Foyer 10.77.0.1"]));
    run("beyond ip addr flush dev v1");
    await vi.waitFor(() => expect(listed().problem).toContain("not connected"));
  },
);
