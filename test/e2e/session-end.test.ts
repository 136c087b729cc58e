// The end of a Windows session in the real app: what is on disk when its event returns, as the system waits no longer.

import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDesk } from "../support/desk.ts";

it("[V2-696] has recorded the run as ended before the event returns, and ends", async () => {
  const desk = await openDesk();
  onTestFinished(async () => {
    await desk.close();
    await desk.screen.close();
  });
  const file = path.join(desk.dir, "data", "runs.json");
  const child = desk.app.process();
  const runs = await desk.app.evaluate(({ BaseWindow }, runsFile) => {
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
