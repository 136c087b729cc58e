// The command line against a real player.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cliFor } from "../../support/cli/run-cli.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { png } from "../../support/media/media.ts";
import { startPlayer } from "../../support/player/start-player.ts";

it("adds a file to a player, plays it in a playlist, takes the screen over and moves the file to the trash", async () => {
  const { player } = await startPlayer();
  const address = player.apiAddress.replace("http://", "");
  // The key of a service is not sent to a player.
  const cli = cliFor({ VITRINE_KEY: "of the service", VITRINE_SERVICE: "-" });
  const on = (...words: readonly string[]) =>
    cli.json("--player", address, ...words);
  const file = join(await temporaryFolder(), "menu.png");
  writeFileSync(file, png([0, 0, 200]));
  const added = await on("assets", "add", file, "--title", "Menu");
  expect(added).toMatchObject({ name: "Menu", mimetype: "image" });
  await on("playlists", "create", "Lunch", "--priority", "3");
  const filled = await on(
    "playlists",
    "add",
    "Lunch",
    "menu",
    "--duration",
    "9",
  );
  expect(filled.items).toMatchObject([
    { asset_id: added.asset_id, duration: 9 },
  ]);
  expect(await on("playlists", "list")).toMatchObject([
    { name: "Lunch", priority: 3 },
  ]);
  expect((await on("playlists", "remove", "Lunch", "Menu")).items).toEqual([]);
  const takeover = await on(
    ...["takeover", "start", "--text", "Closed", "--minutes", "5"],
  );
  expect(takeover).toMatchObject({ text: "Closed" });
  expect(await on("takeover", "list")).toMatchObject({ text: "Closed" });
  await on("takeover", "end");
  expect(await on("takeover", "list")).toBeNull();
  expect(await on("now")).toHaveProperty("showing");
  await on("assets", "remove", added.asset_id);
  expect(await on("assets", "list")).toEqual([]);
  const trash = await fetch(`${player.apiAddress}/api/v2/trash`);
  expect(await trash.json()).toMatchObject([{ name: "Menu" }]);
  const screens = await cli("screens", "list", "--player", address);
  expect([screens.code, screens.complained]).toEqual([
    ...[2, expect.stringContaining("needs a content service")],
  ]);
});
