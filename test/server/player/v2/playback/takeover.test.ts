// API v2: takeover: what is accepted, what is rejected, what is returned.

import { describe, expect, it } from "vitest";
import { readEvents } from "../../../../support/http/event-reader.ts";
import { flushPromises } from "../../../../support/clock.ts";
import {
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

describe("POST takeover", () => {
  it("[V2-150] accepts an asset, a text or a page, until a time, for a duration, or until it is stopped", async () => {
    const { send, add, stage } = await startPlayer();
    const { asset_id: id } = await add({ name: "Alarm", is_enabled: false });
    const reported = await send("POST", "/takeover", {
      ...{ text: "Out", seconds: 90, reason: "drill" },
    });
    expect(reported).toMatchObject({
      status: 201,
      body: {
        ...{ takeover_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
        ...{ asset_id: null, text: "Out", url: null, reason: "drill" },
        ...{ started: "2026-01-01T00:00:00Z", until: "2026-01-01T00:01:30Z" },
        ...{ is_showing: false, error_message: null },
      },
    });
    const paged = await send("POST", "/takeover", {
      ...{ url: "https://example.org/", until: "2026-01-02" },
    });
    expect(paged.body).toMatchObject({
      ...{ url: "https://example.org/", until: "2026-01-02T00:00:00Z" },
    });
    const shown = await send("POST", "/takeover", { asset_id: id });
    expect(shown.body).toMatchObject({ asset_id: id, until: null });
    await flushPromises();
    expect(stage.visible()?.name).toBe("Alarm");
    expect((await send("GET", "/takeover", undefined)).body).toMatchObject({
      ...{ asset_id: id, is_showing: true },
    });
  });

  it.each([
    { body: {}, field: "asset_id" },
    { body: { text: "x", url: "https://example.org/" }, field: "url" },
    { body: { asset_id: "nobody" }, field: "asset_id" },
    { body: { asset_id: 7 }, field: "asset_id" },
    { body: { text: "" }, field: "text" },
    { body: { text: "x".repeat(501) }, field: "text" },
    { body: { url: "file:///etc/passwd" }, field: "url" },
    { body: { url: "https://" }, field: "url" },
    { body: { url: "https://a b/" }, field: "url" },
    { body: { url: "javascript:alert(1)" }, field: "url" },
    { body: { text: "x", until: "2025-01-01" }, field: "until" },
    { body: { text: "x", until: "soon" }, field: "until" },
    { body: { text: "x", seconds: 0 }, field: "seconds" },
    { body: { text: "x", seconds: 1e9 }, field: "seconds" },
    {
      body: { text: "x", seconds: 5, until: "2027-01-01" },
      field: "seconds",
    },
  ])("[V2-151] rejects $body on $field", async ({ body, field }) => {
    const { send, stage } = await startPlayer();
    const answer = await send("POST", "/takeover", body);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, [field]]);
    expect((await send("GET", "/takeover", undefined)).status).toBe(404);
    expect(stage.visible()?.content.kind).toBe("card");
  });

  it("[V2-151] rejects an asset whose file is missing here, with the reason", async () => {
    const { send } = await startPlayer();
    const { body: asset } = await send("POST", "/assets", {
      ...{
        ...completeBody,
        uri: "http://127.0.0.1:9/a.png",
        mimetype: "image",
      },
    });
    const answer = await send("POST", "/takeover", {
      asset_id: asset.asset_id,
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { asset_id: ["This asset's file is still downloading."] },
    ]);
  });
});

describe("a takeover", () => {
  it("[V2-152] ends with DELETE, 204 whether there was one or not", async () => {
    const { send, request, add, stage } = await startPlayer();
    await add({ name: "A" });
    await send("POST", "/takeover", { text: "Out" });
    await flushPromises();
    expect(stage.visible()?.name).toBe("Out");
    for (let time = 0; time < 2; time += 1)
      expect((await request("/takeover", { method: "DELETE" })).status).toBe(
        204,
      );
    await flushPromises();
    expect(stage.visible()?.name).toBe("A");
    expect((await request("/takeover")).status).toBe(404);
  });

  it("[V2-153] answers commands with 409 and how to end it", async () => {
    const { send, request, add, stage } = await startPlayer();
    const { asset_id: id } = await add({ name: "A" });
    await send("POST", "/takeover", { text: "Out" });
    for (const command of ["next", "previous", `asset&${id}`]) {
      const answer = await request(`/assets/control/${command}`);
      expect([answer.status, await answer.json()]).toEqual([
        409,
        {
          detail:
            "A takeover is on the screen; DELETE /api/v2/takeover ends it.",
        },
      ]);
    }
    await flushPromises();
    expect(stage.visible()?.name).toBe("Out");
  });

  it("[V2-152] is announced to listeners, at its start and its end", async () => {
    const { send, request } = await startPlayer();
    const events = await readEvents(request("/events"));
    await send("POST", "/takeover", { text: "Out" });
    await request("/takeover", { method: "DELETE" });
    for (let time = 0; time < 2; time += 1)
      expect(await events.nextOf("changed")).toEqual({ resource: "takeover" });
  });

  it("[V2-156] starts and ends with its shortcut, and a shortcut without an asset does nothing", async () => {
    const { send, request, add, player, stage } = await startPlayer();
    const { asset_id: id } = await add({ name: "Alarm", is_enabled: false });
    player.pressTakeoverKey();
    expect((await request("/takeover")).status).toBe(404);
    const errorResponse = await send("PATCH", "/device_settings", {
      takeover_hotkey: "q",
    });
    expect(errorResponse.body).toEqual({
      takeover_hotkey: [
        expect.stringMatching(
          /^takeover_hotkey must be a shortcut such as Ctrl\+Shift\+F9; got "/,
        ),
      ],
    });
    await send("PATCH", "/device_settings", {
      ...{ takeover_hotkey: "Ctrl+Shift+F9", takeover_asset: id },
    });
    player.pressTakeoverKey();
    await flushPromises();
    expect(stage.visible()?.name).toBe("Alarm");
    player.pressTakeoverKey();
    await flushPromises();
    expect(stage.visible()?.content.kind).toBe("card");
    await send("POST", "/takeover", { text: "Out" });
    player.pressTakeoverKey();
    expect((await request("/takeover")).status).toBe(404);
  });

  it("[V2-154] is not part of a backup, and a recovery keeps it", async () => {
    const { send, request, add } = await startPlayer();
    await add({ name: "A" });
    const { body: name } = await send("POST", "/backup", undefined);
    await send("POST", "/takeover", { text: "Out" });
    const archive = await (
      await request(`/backups/${String(name)}`)
    ).arrayBuffer();
    const form = new FormData();
    form.set("backup_upload", new Blob([archive]), "backup.tar.gz");
    const recovery = await request("/recover", { method: "POST", body: form });
    expect(recovery.status).toBe(200);
    expect((await request("/takeover")).status).toBe(200);
  });
});
