// What the manager needs of an asset beyond its fields: what is stored of it, its file, and a creation with defaults.

import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { clip, png } from "../../../../support/media/media.ts";
import {
  answerOf,
  completeBody,
  startPlayer,
} from "../../../../support/player/start-player.ts";

const sha256Of = (bytes: Buffer) =>
  createHash("sha256").update(bytes).digest("hex");

it("[V2-713] stored has the duration as it was set and the facts of the file, and is ignored in a body", async () => {
  const { add, send, list } = await startPlayer();
  const film = await clip({ colour: [5, 5, 5], seconds: 1 });
  const added = await add({ mimetype: "video", duration: 0 }, film);
  const { stored } = added;
  expect([added.duration, stored]).toEqual([
    1,
    {
      ...{ duration: 0, is_downloading: false },
      file: {
        ...{ sha256: sha256Of(film), media_type: "video/mp4" },
        ...{ size: film.length, length: expect.closeTo(1, 0) },
      },
    },
  ]);
  const at = `/assets/${added.asset_id}`;
  const body = { is_processing: true, stored: { duration: 7, file: null } };
  expect((await send("PATCH", at, body)).body).toMatchObject({
    ...{ is_processing: true, stored },
  });
  const { body: page } = await send("POST", "/assets", completeBody);
  expect(page.stored).toEqual({
    ...{ duration: 10, is_downloading: false, file: null },
  });
  expect((await list()).map((asset) => asset.stored)).toEqual([
    ...[stored, page.stored],
  ]);
});

describe("[V2-714] assets/add", () => {
  it("creates an asset that plays at once from an upload, with the fields that were sent", async () => {
    const { player, send, stage, dataDir } = await startPlayer();
    await send("PATCH", "/device_settings", { default_duration: 17 });
    const file = path.join(dataDir, "Lunch.png");
    await writeFile(file, png([1, 2, 3]));
    const sent = await player.uploadFile(file);
    expect(sent.name).toBe("Lunch");
    const fields = { folder: "Menus", playlist_only: false, muted: true };
    const { status, body } = await send("POST", "/assets/add", {
      ...{ ...sent, ...fields },
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ name: "Lunch", mimetype: "image", duration: 17, ...fields },
        ...{ is_active: "true", is_enabled: true },
        end_date: "9999-01-01T00:00:00Z",
      },
    });
    await expect.poll(() => stage.visible()?.name).toBe("Lunch");
    const again = await send("POST", "/assets/add", sent);
    expect([again.status, Object.keys(again.body)]).toEqual([400, ["uri"]]);
  });

  it("names an address after itself, and reports what is missing", async () => {
    const { send, upload } = await startPlayer();
    const page = { uri: "https://127.0.0.1:9/menu", skip_asset_check: true };
    expect((await send("POST", "/assets/add", page)).body).toMatchObject({
      ...{ name: "127.0.0.1:9/menu", mimetype: "webpage" },
    });
    const { body: unnamed } = await upload(png([1, 2, 3]));
    for (const [body, field] of [
      [unnamed, "name"],
      [{}, "uri"],
      [{ ...page, skip_asset_check: false }, "uri"],
      [{ ...page, custom_headers: { Host: "a" } }, "custom_headers"],
    ] as const) {
      const answer = await send("POST", "/assets/add", body);
      expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]]);
    }
  });
});

it("[V2-715] files returns the bytes that are shown, whole or a range, and nothing that a browser would run", async () => {
  const { add, request, player, dataDir } = await startPlayer();
  const bytes = png([1, 2, 3]);
  await add({}, bytes);
  const at = `/files/${sha256Of(bytes)}`;
  const whole = await request(at);
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    ...{ "content-type": "image/png", "x-content-type-options": "nosniff" },
    "content-security-policy": "default-src 'none'; sandbox",
  });
  const range = await request(at, { headers: { Range: "bytes=2-5" } });
  expect([range.status, Buffer.from(await range.arrayBuffer())]).toEqual([
    ...[206, bytes.subarray(2, 6)],
  ]);
  const beyond = await request(at, { headers: { Range: "bytes=999999-" } });
  expect(await answerOf(beyond)).toMatchObject({
    ...{ status: 416, body: { detail: expect.any(String) } },
  });
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>',
  );
  const drawn = await add({ mimetype: "image" }, svg);
  const shown = await request(`/files/${drawn.stored.file?.sha256}`);
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  await shown.body?.cancel();
  await rm(player.fileFor(sha256Of(bytes))?.path ?? "");
  for (const gone of [at, `/files/${"0".repeat(64)}`, "/files/..%2f..%2fa"]) {
    const answer = await answerOf(await request(gone));
    expect([answer.status, Object.keys(answer.body)]).toEqual([
      ...[404, ["detail"]],
    ]);
    expect(JSON.stringify(answer.body)).not.toContain(dataDir);
  }
});
