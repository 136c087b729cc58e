// Stored settings that this version does not accept.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { startPlayer } from "../../support/player/start-player.ts";

it("[V2-367] a stored setting that is no longer accepted has its default, and is reported at each start until it is set", async () => {
  const dataDir = await temporaryFolder();
  const logDir = path.join(dataDir, "log");
  const run = async () => {
    const log = createLog({ dir: logDir, toStandardOutput: false });
    const running = await startPlayer({ dataDir, log });
    const { body } = await running.send(
      "GET",
      "/activity?kind=fault",
      undefined,
    );
    const faults = (body as { name: string; details: string }[]).map(
      ({ name, details }) => [name, details],
    );
    return { ...running, faults };
  };
  const first = await run();
  const key = { takeover_hotkey: "Ctrl+F9", exit_hotkey: "Ctrl+Alt+F7" };
  await first.send("PATCH", "/device_settings", key);
  await first.player.stop();
  expect(first.faults).toEqual([]);

  // As versions before V2-378 stored it.
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  database
    .prepare("UPDATE settings SET value = ? WHERE name = ?")
    .run('"Shift+A"', "takeoverHotkey");
  database.close();
  const reported = [
    "takeover_hotkey",
    'The stored value is not valid, so the default applies: takeover_hotkey must be a shortcut such as Ctrl+Shift+F9; got "Shift+A".',
  ];
  for (const faults of [[reported], [reported, reported]]) {
    const next = await run();
    expect(next.faults).toEqual(faults);
    const { body } = await next.send("GET", "/device_settings", undefined);
    expect(body).toMatchObject({
      ...{ takeover_hotkey: "", exit_hotkey: "Ctrl+Alt+F7" },
    });
    if (faults.length === 2)
      await next.send("PATCH", "/device_settings", {
        takeover_hotkey: "Ctrl+F9",
      });
    await next.player.stop();
  }
  expect((await run()).faults).toHaveLength(2);
  const lines = await readFile(path.join(logDir, "vitrine.log"), "utf8");
  expect(
    lines.split("\n").filter((line) => line.includes("setting.rejected")),
  ).toHaveLength(2);
});
