// The app as its own supervisor, as on Windows: the real app supervises the real player.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pidOfRun } from "../../electron/lifecycle/safe-mode.ts";
import { temporaryFolder } from "../support/folder.ts";
import { openScreen } from "../support/screen/screen.ts";
import { launch } from "../support/app/start-app.ts";

const isUp = /Vitrine is ready: API (\S+)/g;

it("[V2-698] starts the player, restarts it when it is killed, and checks again while another instance runs", async () => {
  const screen = await openScreen();
  const dir = await temporaryFolder();
  const data = path.join(dir, "data");
  const temporary = path.join(dir, "temporary");
  await mkdir(temporary);
  const flags = ["--data-dir", data, "--api-port", "0", "--no-manager"];
  const env = { TMPDIR: temporary, VITRINE_ELSEWHERE_SECONDS: "1" };
  const watched = launch(["--supervise", ...flags], screen, env);
  const players = new Set<number>();
  onTestFinished(async () => {
    await watched.stop();
    await screen.close();
  });
  const upTimes = () => watched.output().match(isUp)?.length ?? 0;
  const playerNow = async (times: number): Promise<number> => {
    await expect.poll(upTimes).toBe(times);
    const pid = pidOfRun(data) ?? 0;
    players.add(pid);
    return pid;
  };
  process.kill(await playerNow(1), "SIGKILL");
  const second = await playerNow(2);
  expect(players.size).toBe(2);

  // Not started by that player: a supervisor that finds a running copy retries, and takes over in the end.
  const other = launch(["--supervise", ...flags], screen, env);
  onTestFinished(async () => void (await other.stop()));
  await other.printed(/another instance is running; trying again in 1 s/);
  process.kill(second, 0);

  const exit = watched.exit();
  process.kill(second, "SIGTERM");
  expect(await exit).toBe(0);
  await other.printed(/Vitrine is ready: API (\S+)/);
});
