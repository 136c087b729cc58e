// A fleet as its operator sees it: three real players paired with a real service, from a wrong picture to a player that is killed.

import { createHash } from "node:crypto";
import { readdir, readlink, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { clientV3, type ClientV3 } from "../support/content/each-v3.ts";
import { waitUntilProcessed } from "../support/content/ingest-asset.ts";
import {
  contentKey,
  startContent,
  type Row,
} from "../support/content/start-content.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import { openScreen, shows, watchScreen } from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";

const minuteMs = 60_000;
const offlineAfterMs = 6000;
const red = [200, 40, 40] as const satisfies Colour;
const green = [40, 160, 60] as const satisfies Colour;
const blue = [40, 60, 210] as const satisfies Colour;
const yellow = [220, 200, 40] as const satisfies Colour;

interface StateRow {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
}

async function addImage(client: ClientV3, title: string, bytes: Buffer) {
  const answer = await client.upload(bytes, { title });
  const [row] = (await answer.json()) as Row[];
  await waitUntilProcessed(client, row?.id ?? "");
  return row?.id ?? "";
}

async function pairedPlayer(client: ClientV3, name: string, labels: string[]) {
  const screen = await openScreen();
  const app = await startApp({ screen, flags: ["--no-manager"] });
  const answer = await fetch(`${app.api}/api/v2/sync/pairing`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ base_url: client.address }),
  });
  const { pin } = (await answer.json()) as { pin: string };
  const { id } = (await client.make("/screens/", { pin, name })) as Row;
  await client.call("PATCH", `/screens/${id}/`, {
    groups: labels.map((label) => ({ id: label })),
  });
  return { app, id, screen, watch: watchScreen(screen) };
}

it.runIf(process.platform === "linux")(
  "three screens are right, wrong with the reason, taken over together, and offline, as sampled from their displays",
  async () => {
    const dataDir = await temporaryFolder();
    const content = await startContent(dataDir, { offlineAfterMs });
    const client = clientV3(content.address, contentKey);
    const stateOf = async (id: string): Promise<StateRow | undefined> =>
      ((await client.get("/screens/states/")) as StateRow[]).find(
        (row) => row.id === id,
      );
    const becomes = (id: string, state: string) =>
      expect
        .poll(async () => (await stateOf(id))?.state, { timeout: minuteMs })
        .toBe(state);
    const { id: label } = await client.make("/groups/", { name: "Windows" });
    // The same size with and without the mistake in it.
    const right = png(red, 640, 360);
    const wrong = png(yellow, 640, 360);
    const size = Math.max(right.length, wrong.length);
    const padded = (bytes: Buffer): Buffer =>
      Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
    const everywhere = await addImage(client, "Opening hours", padded(right));
    const alarm = await addImage(client, "Alarm", png(blue, 640, 360));
    const windows = await addImage(client, "Sale", png(green, 640, 360));
    await client.make("/playlists/", {
      ...{ title: "All", predicate: "TRUE", groups: [{ id: "all-screens" }] },
      assets: [{ id: everywhere, duration: 2 }],
    });
    // It is on every player, and never due by itself.
    await client.make("/playlists/", {
      ...{
        title: "Alarm",
        predicate: "FALSE",
        groups: [{ id: "all-screens" }],
      },
      assets: [{ id: alarm, duration: 10 }],
    });
    const [one, two, three] = await Promise.all([
      pairedPlayer(client, "One", [label]),
      pairedPlayer(client, "Two", [label]),
      pairedPlayer(client, "Three", []),
    ]);
    const all = [one, two, three];
    for (const { id, watch } of all) {
      await watch.until(shows(red), "the playlist for all", minuteMs);
      await becomes(id, "right");
    }

    // A playlist for a label reaches two of them.
    await client.make("/playlists/", {
      ...{ title: "Windows", predicate: "TRUE", groups: [{ id: label }] },
      assets: [{ id: windows, duration: 2 }],
    });
    for (const { watch } of [one, two])
      await watch.until(shows(green), "the playlist of the label", minuteMs);

    // On the third another picture lies where its own was, and the service can't send it again.
    const hash = createHash("sha256").update(padded(right)).digest("hex");
    const stored = await readdir(path.join(dataDir, "files"), {
      ...{ recursive: true, withFileTypes: true },
    });
    for (const { name, parentPath } of stored)
      if (name.includes(hash)) await rm(path.join(parentPath, name));
    const kept = path.join(
      three.app.dataDir,
      "files",
      "kept",
      hash.slice(0, 2),
    );
    expect(await readdir(kept)).toContain(hash);
    const replacedAt = Date.now();
    await expect
      .poll(
        async () => {
          const { state, reason } = (await stateOf(three.id)) ?? {};
          // At once, as a tool that replaces files does it; in the first seconds after it was stored, a change does not count yet.
          if (state === "right") {
            await writeFile(path.join(kept, "new"), padded(wrong));
            await rename(path.join(kept, "new"), path.join(kept, hash));
          }
          return [state, reason];
        },
        { timeout: minuteMs, interval: 250 },
      )
      .toEqual(["incomplete", expect.stringContaining("“Opening hours”")]);
    expect(Date.now() - replacedAt).toBeLessThan(10_000);

    // One takeover of all is one action with a result for each, seen on every screen.
    const until = new Date(Date.now() + 20_000).toISOString();
    const clickedAt = Date.now();
    const { id: action } = await client.make("/screens/commands/", {
      ...{ kind: "takeover", screens: all.map(({ id }) => id) },
      arguments: { asset_id: alarm, until },
    });
    for (const { watch } of all)
      await watch.until(shows(blue), "the takeover", minuteMs);
    console.log(`The takeover was on all after ${Date.now() - clickedAt} ms.`);
    const resultsOf = async () =>
      (
        (await client.get(`/screens/commands/?action=${action}`)) as {
          state: string;
        }[]
      ).map(({ state }) => state);
    await expect
      .poll(() => resultsOf(), { timeout: minuteMs })
      .toEqual(["done", "done", "done"]);
    await one.watch.until(
      (frame) => !shows(blue)(frame),
      "the end of the takeover",
      minuteMs,
    );

    // One is killed: offline, its last picture is kept, and what is ordered meanwhile expires and is never carried out.
    const shot = await client.make(`/screens/${one.id}/commands/`, {
      kind: "screenshot",
    });
    const commandOf = async (id: string) =>
      ((await client.get(`/screens/commands/?id=${id}`)) as Row[])[0];
    await expect
      .poll(() => commandOf(shot.id), { timeout: minuteMs })
      .toMatchObject({ state: "done" });
    const lock = path.join(one.app.dataDir, "chromium", "SingletonLock");
    process.kill(Number((await readlink(lock)).split("-").at(-1)), "SIGKILL");
    await becomes(one.id, "offline");
    const { last_screenshot: picture } = (await client.get(
      `/screens/${one.id}/`,
    )) as { last_screenshot: string };
    expect((await fetch(picture)).status).toBe(200);
    const late = await client.make(`/screens/${one.id}/commands/`, {
      ...{ kind: "takeover", arguments: { asset_id: alarm } },
      expires_in: 10,
    });
    await expect
      .poll(() => commandOf(late.id), { timeout: minuteMs })
      .toMatchObject({ state: "expired" });
    const again = await startApp({
      ...{ screen: one.screen, dataDir: one.app.dataDir },
      flags: ["--no-manager"],
    });
    await expect
      .poll(async () => (await stateOf(one.id))?.state, { timeout: minuteMs })
      .not.toBe("offline");
    const takeover = await fetch(`${again.api}/api/v2/takeover`);
    expect(takeover.status).toBe(404);
    expect(await commandOf(late.id)).toMatchObject({ state: "expired" });
  },
  10 * minuteMs,
);
