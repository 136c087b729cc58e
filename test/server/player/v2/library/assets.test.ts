// API v2: listing, creating, reading, changing and deleting assets, over a real socket; the list is cached between changes, and yet
// always current.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../../../../server/contract/v2/v2.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { clip, png, servePages } from "../../../../support/media/media.ts";
import {
  answerOf,
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

function pick(body: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

describe("creating an asset", () => {
  it("returns 201 with every field of the specification", async () => {
    const { send } = await startPlayer();
    const { status, body } = await send("POST", "/assets", completeBody);
    expect(status).toBe(201);
    const specified = Object.keys(body).slice(0, 13);
    expect(pick(body, specified)).toEqual({
      ...{ asset_id: expect.stringMatching(/^[0-9a-f]{32}$/), name: "Lobby" },
      ...{ uri: "https://example.org/", start_date: "2020-01-01T00:00:00Z" },
      ...{
        end_date: "2030-01-01T00:00:00Z",
        duration: 10,
        mimetype: "webpage",
      },
      ...{
        is_enabled: true,
        nocache: false,
        play_order: 0,
        skip_asset_check: true,
      },
      ...{ is_active: "true", is_processing: false },
    });
  });

  it("[V2-3] names every missing field and stores nothing", async () => {
    const { send, list } = await startPlayer();
    const { status, body } = await send("POST", "/assets", { duration: "ten" });
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual([
      "duration",
      "end_date",
      "is_enabled",
      "mimetype",
      "name",
      "start_date",
      "uri",
    ]);
    expect(body.name).toEqual(["name is required"]);
    expect(await list()).toEqual([]);
  });

  it.each([[[]], ["text"], [7], [null], [true]])(
    "[V2-3] rejects the body %j",
    async (raw) => {
      const { send } = await startPlayer();
      const { status, body } = await send("POST", "/assets", raw);
      expect({ status, body }).toEqual({
        status: 400,
        body: { non_field_errors: ["The body must be an object."] },
      });
    },
  );

  it("[V2-5] accepts form-encoded and multipart bodies too", async () => {
    const { request, list } = await startPlayer();
    const fields = Object.entries(completeBody).map(([key, value]) => [
      key,
      String(value),
    ]);
    await request("/assets", {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    const form = new FormData();
    for (const [key, value] of fields) form.set(key ?? "", value ?? "");
    await request("/assets", { method: "POST", body: form });
    expect(await list()).toHaveLength(2);
  });

  it("[V2-5] accepts a hundred fields of a multipart body, and rejects more of them, or more than a mebibyte together", async () => {
    const { request } = await startPlayer();
    const send = async (count: number, letters: number) => {
      const form = new FormData();
      for (const [key, value] of Object.entries(completeBody))
        form.set(key, String(value));
      for (
        let number = Object.keys(completeBody).length;
        number < count;
        number++
      )
        form.set(`f${number}`, "x".repeat(letters));
      return (await request("/assets", { method: "POST", body: form })).status;
    };
    expect(await send(100, 9000)).toBe(201);
    expect(await send(101, 1)).toBe(413);
    expect(await send(90, 20_000)).toBe(413);
  });

  it("reads the fields of a multipart body as UTF-8, or in the charset they declare", async () => {
    const { request, list } = await startPlayer();
    // These letters in Latin-1 are the UTF-8 bytes of other letters.
    const reported = (charset: string) =>
      `Content-Type: text/plain; charset=${charset}\r\n`;
    const written = [
      ["NESCAFÉ® 1", "", "utf8"],
      ["NESCAFÉ® 2", reported("utf-8"), "utf8"],
      ["NESCAFÉ® 3", reported("iso-8859-1"), "latin1"],
    ] as const;
    for (const [name, kind, letters] of written) {
      const parts = Object.entries({ ...completeBody, name }).map(
        ([field, value]) =>
          `--b\r\nContent-Disposition: form-data; name="${field}"\r\n${kind}\r\n${String(value)}\r\n`,
      );
      const answer = await request("/assets", {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=b" },
        body: Buffer.from(`${parts.join("")}--b--`, letters),
      });
      expect(answer.status).toBe(201);
    }
    expect((await list()).map((asset) => asset.name)).toEqual(
      written.map(([name]) => name),
    );
  });

  it.runIf(process.platform === "linux")(
    "[V2-373] finds a file of this machine whose name is not UTF-8, and names the asset after its decoded form",
    async () => {
      const { player, send, list } = await startPlayer();
      const folder = await temporaryFolder();
      const file = Buffer.from(`${folder}/Caf\xe9.png`, "latin1");
      await writeFile(file, png([1, 2, 3]));
      const sent = await player.uploadFile(path.join(folder, "Caf\ufffd.png"));
      await send("POST", "/assets/add", sent);
      expect((await list()).map(({ name }) => name)).toEqual(["Café"]);
      await expect(
        player.uploadFile(path.join(folder, "Bar\ufffd.png")),
      ).rejects.toMatchObject({ code: "not-found" });
    },
  );

  it("[V2-6] ignores read-only and unknown fields", async () => {
    const { send } = await startPlayer();
    const extra = {
      asset_id: "mine",
      is_active: "false",
      colour: "red",
    };
    const { body } = await send("POST", "/assets", {
      ...completeBody,
      ...extra,
    });
    expect(body).toMatchObject({ is_active: "true" });
    expect(body.asset_id).not.toBe("mine");
  });

  it("[V2-402] returns is_processing as it was sent, in POST, PATCH and PUT", async () => {
    const { send, request } = await startPlayer();
    const created = await send("POST", "/assets", {
      ...{ ...completeBody, is_processing: 1 },
    });
    expect([created.status, created.body.is_processing]).toEqual([201, true]);
    const at = `/assets/${created.body.asset_id}`;
    const read = async () =>
      ((await (await request(at)).json()) as AssetV2).is_processing;
    expect(await read()).toBe(true);
    expect((await send("PATCH", at, { name: "B" })).body.is_processing).toBe(
      true,
    );
    const put = { ...completeBody, is_processing: "false" };
    expect((await send("PUT", at, put)).body.is_processing).toBe(false);
    expect(await read()).toBe(false);
    const patch = { is_processing: true };
    expect((await send("PATCH", at, patch)).body.is_processing).toBe(true);
    const errorResponse = await send("PATCH", at, { is_processing: "perhaps" });
    expect([errorResponse.status, Object.keys(errorResponse.body)]).toEqual([
      ...[400, ["is_processing"]],
    ]);
  });

  it("[V2-402] plays an asset that a client marks as processing", async () => {
    const { add, stage, clock } = await startPlayer();
    const { is_processing } = await add({ name: "A", is_processing: true });
    expect(is_processing).toBe(true);
    await expect
      .poll(async () => {
        await clock.advance(100);
        return stage.shown;
      })
      .toContain("A");
  });

  it("[V2-403] returns the clip's own length, rounded up, until another duration is sent", async () => {
    const { send, request, upload, list, add } = await startPlayer();
    const bytes = await clip({ colour: [1, 2, 3], seconds: 1.4 });
    const { body } = await upload(bytes);
    const created = await send("POST", "/assets", {
      ...{ ...completeBody, ...body, mimetype: "video", duration: 0 },
    });
    expect([created.status, created.body.duration]).toEqual([201, 2]);
    const at = `/assets/${created.body.asset_id}`;
    const read = async () =>
      ((await (await request(at)).json()) as AssetV2).duration;
    expect([await read(), (await list())[0]?.duration]).toEqual([2, 2]);
    // As a client does that writes everything it has read.
    const complete = (await (await request(at)).json()) as AssetV2;
    expect((await send("PUT", at, { ...complete, name: "B" })).status).toBe(
      200,
    );
    const longer = await clip({ colour: [1, 2, 3], seconds: 3.2 });
    const source = await upload(longer);
    await send("POST", `${at}/source`, { uri: source.body.uri });
    expect(await read()).toBe(4);
    await send("PATCH", at, { duration: 7 });
    expect(await read()).toBe(7);
    await send("PATCH", at, { duration: 0 });
    expect(await read()).toBe(4);
    const still = await add({ duration: 0 });
    expect(still.duration).toBe(0);
  });

  it("[V2-13] appends without a play_order; with one, rows at or behind it move up", async () => {
    const { send, list } = await startPlayer();
    for (const name of ["A", "B"])
      await send("POST", "/assets", { ...completeBody, name });
    await send("POST", "/assets", {
      ...completeBody,
      name: "C",
      play_order: 1,
    });
    const order = (await list()).map(({ name, play_order }) => [
      name,
      play_order,
    ]);
    expect(order).toEqual([
      ["A", 0],
      ["C", 1],
      ["B", 2],
    ]);
  });

  it("[V2-16] makes a name in use unique, also for twenty at once", async () => {
    const { send, list } = await startPlayer();
    await Promise.all(
      Array.from({ length: 20 }, () => send("POST", "/assets", completeBody)),
    );
    expect(new Set((await list()).map(({ name }) => name)).size).toBe(20);
  });

  it("[V2-17] rejects an address that cannot be reached, with the reason", async () => {
    const { send } = await startPlayer();
    const pages = await servePages({ "/": "hello", "/gone": 410 });
    const at = (uri: string) =>
      send("POST", "/assets", {
        ...completeBody,
        uri,
        skip_asset_check: false,
      });
    expect((await at(`${pages.address}/`)).status).toBe(201);
    expect((await at(`${pages.address}/gone`)).body.uri[0]).toContain("410");
    await pages.stop();
    expect((await at(`${pages.address}/`)).body.uri[0]).toContain(
      "the connection was refused",
    );
  });

  it.each([
    "/etc/passwd",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "upload:0",
    `upload:${"0".repeat(32)}`,
    "http://",
    "http:example.org/",
    "http:/example.org/",
    "http:\\\\example.org/",
    "ht\ttp://example.org/",
    "https://example.org/a\nb",
    "https:///example.org/",
  ])("[V2-15] [V2-17] rejects the uri %s", async (uri) => {
    const { send } = await startPlayer();
    const { status, body } = await send("POST", "/assets", {
      ...completeBody,
      uri,
    });
    expect(status).toBe(400);
    expect(body.uri).toHaveLength(1);
  });
});

describe("reading and changing an asset", () => {
  it("is 404 with a detail for an unknown id, for every method", async () => {
    const { request } = await startPlayer();
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const { status, body } = await answerOf(
        await request("/assets/nobody", { method }),
      );
      expect({ status, body }).toEqual({
        status: 404,
        body: { detail: "There is no asset with the identifier nobody." },
      });
    }
  });

  it("[V2-12] writes only the fields sent: two changes of different fields both apply", async () => {
    const { add, send, request } = await startPlayer();
    const { asset_id: id } = await add();
    await Promise.all([
      send("PATCH", `/assets/${id}`, { name: "New" }),
      send("PATCH", `/assets/${id}`, { duration: 33 }),
      send("PATCH", `/assets/${id}`, {
        nocache: "yes",
        uri: "https://else.where/",
        mimetype: "x",
      }),
    ]);
    const asset = await (await request(`/assets/${id}`)).json();
    expect(asset).toMatchObject({
      name: "New",
      duration: 33,
      nocache: true,
      mimetype: "image",
    });
  });

  it("[V2-12] accepts an empty change and no body at all", async () => {
    const { add, request } = await startPlayer();
    const asset = await add();
    const { status, body } = await answerOf(
      await request(`/assets/${asset.asset_id}`, { method: "PATCH" }),
    );
    expect({ status, body }).toEqual({ status: 200, body: asset });
  });

  it("[V2-12] requires five fields for a full update", async () => {
    const { add, send } = await startPlayer();
    const { asset_id: id } = await add();
    const { status, body } = await send("PUT", `/assets/${id}`, {
      name: "New",
    });
    expect(status).toBe(400);
    expect(Object.keys(body).sort()).toEqual([
      "duration",
      "end_date",
      "is_enabled",
      "start_date",
    ]);
    expect((await send("PUT", `/assets/${id}`, completeBody)).body.name).toBe(
      "Lobby",
    );
  });

  it("changes nothing when one field is rejected", async () => {
    const { add, send, list } = await startPlayer();
    const asset = await add();
    const fields = { name: "New", duration: -1 };
    expect(
      (await send("PATCH", `/assets/${asset.asset_id}`, fields)).status,
    ).toBe(400);
    expect(await list()).toEqual([asset]);
  });

  it("[V2-13] keeps the order on a rename or a switch", async () => {
    const { add, send, list } = await startPlayer();
    const assets = [];
    for (const name of ["A", "B", "C"]) assets.push(await add({ name }));
    const id = assets[1]?.asset_id;
    await send("PATCH", `/assets/${id}`, { name: "Z", is_enabled: false });
    await send("PATCH", `/assets/${id}`, { is_enabled: true });
    expect((await list()).map(({ name }) => name)).toEqual(["A", "Z", "C"]);
  });
});

describe("deleting an asset", () => {
  it("returns 204 without a body; of six at once only one succeeds", async () => {
    const { add, request, list } = await startPlayer();
    const { asset_id: id } = await add();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        request(`/assets/${id}`, { method: "DELETE" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      204, 404, 404, 404, 404, 404,
    ]);
    expect(await list()).toEqual([]);
  });

  it("[V2-15] removes the content with its last asset", async () => {
    const { add, request, player, upload } = await startPlayer();
    const same = png([7, 7, 7]);
    const first = await add({}, same);
    const second = await add({}, same);
    await upload(same);
    const hash = first.stored.file?.sha256 ?? "";
    await request(`/assets/${first.asset_id}`, { method: "DELETE" });
    await request(`/assets/${second.asset_id}`, { method: "DELETE" });
    // The third upload of the same bytes is still unclaimed.
    expect(player.fileFor(hash)).not.toBeNull();
  });
});

const hourMs = 3_600_000;

describe("the list of assets", () => {
  it("[V2-11] reflects each date when it is reached, and again when the clock is set back", async () => {
    const { clock, list, send } = await startPlayer();
    const start = new Date(clock.now() + hourMs).toISOString();
    const end = new Date(clock.now() + 2 * hourMs).toISOString();
    await send("POST", "/assets", {
      ...{ ...completeBody, start_date: start, end_date: end },
    });
    const isActive = async () => (await list())[0]?.is_active;
    expect(await isActive()).toBe("false");
    await clock.advance(hourMs - 1);
    expect(await isActive()).toBe("false");
    await clock.advance(1);
    expect(await isActive()).toBe("true");
    await clock.advance(hourMs);
    expect(await isActive()).toBe("false");
    clock.jumpTo(clock.now() - hourMs);
    expect(await isActive()).toBe("true");
  });

  it("reflects every kind of change at once, as does each asset", async () => {
    const { add, request, list, send } = await startPlayer();
    const a = await add({ name: "A" });
    const b = await add({ name: "B" });
    const names = async () => {
      const assets = await list();
      for (const asset of assets) {
        const alone = await request(`/assets/${asset.asset_id}`);
        expect(await alone.json()).toEqual(asset);
      }
      return assets.map(({ name, play_order: place }) => `${name} ${place}`);
    };
    expect(await names()).toEqual(["A 0", "B 1"]);
    await send("PATCH", `/assets/${a.asset_id}`, { name: "Z" });
    expect(await names()).toEqual(["Z 0", "B 1"]);
    await send("POST", "/assets/order", { ids: b.asset_id });
    expect(await names()).toEqual(["B 0", "Z 1"]);
    await add({ name: "C", play_order: 0 });
    expect(await names()).toEqual(["C 0", "B 1", "Z 2"]);
    await send("PATCH", `/assets/${a.asset_id}`, { play_order: 1 });
    expect(await names()).toEqual(["C 0", "Z 1", "B 2"]);
    await request(`/assets/${b.asset_id}`, { method: "DELETE" });
    expect(await names()).toEqual(["C 0", "Z 1"]);
    await add({ name: "D" });
    expect(await names()).toEqual(["C 0", "Z 1", "D 2"]);
    await send("PATCH", "/device_settings", { is_active_as: "boolean" });
    expect((await list())[0]?.is_active).toBe(true);
  });

  it("has the length of its bytes, for HEAD too", async () => {
    const { add, request } = await startPlayer();
    await add({ name: "Foyer שלום" });
    const complete = Buffer.from(
      await (await request("/assets")).arrayBuffer(),
    );
    const head = await request("/assets", { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(complete.length));
    expect(head.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await head.text()).toBe("");
  });
});
