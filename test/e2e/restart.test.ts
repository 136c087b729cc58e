// The restart command of a content service: the supervisor restarts the player; without one it restarts itself.

import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { clientV3 } from "../support/content/each-v3.ts";
import { temporaryFolder } from "../support/folder.ts";
import { claimedPlayer } from "../support/content/linked-player.ts";
import { program } from "../support/app/program.ts";
import { openScreen } from "../support/screen/screen.ts";
import { startApp, type RunningApp } from "../support/app/start-app.ts";
import { contentKey, startContent } from "../support/content/start-content.ts";

/** A player connected to a content service that sends it a restart command. */
async function orderedToRestart(
  env: Readonly<Record<string, string>>,
): Promise<RunningApp> {
  const app = await startApp({
    ...{ screen: await openScreen(), flags: ["--no-manager"], env },
  });
  const content = await startContent(await temporaryFolder());
  const client = clientV3(content.address, contentKey);
  const { credential, screenId } = await claimedPlayer(client);
  const answer = await fetch(`${app.api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ base_url: content.address, version: "v4.1" },
      ...{ token: credential, screen_id: screenId },
    }),
  });
  expect(answer.status).toBe(201);
  await client.make(`/screens/${screenId}/commands/`, { kind: "restart" });
  return app;
}

const exitOf = ({ process }: RunningApp) => expect.poll(() => process.exitCode);

describe("a player that is ordered to restart", () => {
  it("[V2-361] shuts down properly and requests a restart from its supervisor", async () => {
    const beats = path.join(await temporaryFolder(), "beats");
    const app = await orderedToRestart({ VITRINE_HEARTBEAT: beats });
    await exitOf(app).toBe(75);
    expect(await readFile(beats, "utf8")).toBe("again\n");
    await expect.poll(app.output).toContain("player.stopped");
  });

  it.runIf(process.platform === "linux")(
    "[V2-361] without a supervisor starts its AppImage by its own name, with its flags, once it has ended",
    async () => {
      const dir = await temporaryFolder();
      const image = path.join(dir, "Vitrine.AppImage");
      const started = path.join(dir, "started");
      await writeFile(
        image,
        `#!/bin/sh
        while [ "$1" != --data-dir ]; do shift; done
        lock=$(readlink "$2/chromium/SingletonLock")
        # A process that has ended has no open files any more, even if its parent has not reaped it yet.
        [ -e "/proc/\${lock##*-}/fd/0" ] && set -- "$@" early
        echo "$*" >"${started}.part" && mv "${started}.part" "${started}"\n`,
      );
      await chmod(image, 0o755);
      const app = await orderedToRestart({
        ...{ APPIMAGE: image, APPDIR: path.dirname(program) },
      });
      await exitOf(app).toBe(0);
      // Where Chromium's sandbox rejects root, the start script adds a flag.
      await expect
        .poll(() => readFile(started, "utf8").catch(() => ""))
        .toMatch(
          new RegExp(
            `^--data-dir ${app.dataDir} --api-port 0 --no-manager( --no-sandbox)?\n$`,
          ),
        );
    },
  );
});
