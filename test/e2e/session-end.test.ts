// The end of a Windows session in the real app: the state on disk when the event handler returns, as the system waits no longer.

import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openManager } from "../support/manager/manager-app.ts";

it("[V2-696] records the run as ended before the event returns, and quits", async () => {
  const manager = await openManager();
  onTestFinished(async () => {
    await manager.close();
    await manager.screen.close();
  });
  const file = path.join(manager.dir, "data", "runs.json");
  const child = manager.app.process();
  const runs = await manager.app.evaluate(({ BaseWindow }, runsFile) => {
    const fs = process.getBuiltinModule("node:fs");
    const read = (): unknown => JSON.parse(fs.readFileSync(runsFile, "utf8"));
    const before = read();
    for (const window of BaseWindow.getAllWindows())
      window.emit("session-end", { reasons: ["shutdown"] });
    return { before, after: read() };
  }, file);
  expect(runs).toEqual({
    before: { crashes: [], runningSince: expect.any(Number), pid: child.pid },
    after: { crashes: [], runningSince: null, pid: null },
  });
  await expect.poll(() => child.exitCode).toBe(0);
});
