// Assets of version 3: created from addresses and files, changed, deleted and captured, on both databases.

import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { assetV3 } from "../../../../server/contract/v3/v3.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";
import { serveWeb } from "../../../support/http/web-server.ts";

const blue = png([10, 20, 200]);
const logged: unknown[] = [];
const log = createLog({ toStandardOutput: false });

const pollOptions = { interval: 20 };

/** As soon as nothing more happens to it. */
function finished(client: ClientV3, id: string): Promise<any> {
  return vi.waitUntil(async () => {
    const asset = await client.get(`/assets/${id}/`);
    return /finished|error/.test(asset.status as string) && asset;
  }, pollOptions);
}

function upload(
  client: ClientV3,
  bytes: Buffer | null,
  fields: Readonly<Record<string, string>>,
  name = "file",
) {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  if (bytes) body.set("file", new Blob([new Uint8Array(bytes)]), name);
  return client.call("POST", "/assets/upload/", body);
}

eachV3(
  (service) => {
    describe("created from an address", () => {
      it("[V3-10] [V3-11] a page goes from none to finished and has every field", async () => {
        const client = await service.client();
        const web = await serveWeb({ "/": "<p>hello</p>" });
        const headers = { "User-Agent": "x", Cookie: "a=b" };
        const created = await client.make("/assets/", {
          ...{ source_url: `${web.address}/`, js_injection: "1+1", headers },
        });
        expect(assetV3.parse(created)).toMatchObject({
          ...{ title: `${web.address}/`, status: "none", type: null },
          ...{ asset_url: "", finalized: false, width: 0, height: 0 },
          ...{ js_injection: "1+1", headers, metadata: {}, folder_name: "" },
          ...{ url: `/api/v3/assets/${created.id}/`, duration: 10 },
        });
        expect(assetV3.parse(await finished(client, created.id))).toMatchObject(
          {
            ...{ type: "web", status: "finished", finalized: true },
            ...{ asset_url: `${web.address}/`, md5: "skip_md5", duration: 10 },
            ...{ source_md5: null, source_size: null },
          },
        );
        expect(await client.get("/assets/")).toMatchObject([
          { id: created.id },
        ]);
      });

      it("[V3-12] an unreachable page is rejected and not stored, unless verification is off", async () => {
        const client = await service.client();
        const web = await serveWeb({ "/gone": 404 });
        const body = { source_url: `${web.address}/gone` };
        const answer = await client.call("POST", "/assets/", body);
        expect([answer.status, answer.json]).toEqual([
          400,
          {
            type: ["AssetUnreachableError"],
            source_url: [expect.any(String) as string],
          },
        ]);
        expect(await client.get("/assets/")).toEqual([]);
        const created = await client.make("/assets/", {
          ...{ ...body, disable_verification: true },
        });
        expect(await finished(client, created.id)).toMatchObject({
          ...{ status: "finished", disable_verification: true },
        });
      });

      it("[V3-10] [V3-13] an image is downloaded, and its properties are returned", async () => {
        const client = await service.client();
        const web = await serveWeb({
          "/p.png": (response) => void response.end(blue),
        });
        const created = await client.make("/assets/upload/", {
          ...{ source_url: `${web.address}/p.png`, title: "Blue" },
        });
        const asset = assetV3.parse(
          await finished(client, created.id as string),
        );
        const md5 = createHash("md5").update(blue).digest("hex");
        expect(asset).toMatchObject({
          ...{ type: "image", title: "Blue", width: 64, height: 36, md5 },
          ...{ source_md5: md5, source_size: blue.length, duration: 10 },
        });
        const bytes = await (await fetch(asset.asset_url)).arrayBuffer();
        expect(Buffer.from(bytes).equals(blue)).toBe(true);
      });

      it.each([
        [{}, "source_url"],
        [{ source_url: null }, "source_url"],
        [{ source_url: 5 }, "source_url"],
        [{ source_url: "ftp://a/b" }, "source_url"],
        [{ source_url: "http://" }, "source_url"],
        [{ source_url: `http://a/${"a".repeat(9000)}` }, "source_url"],
        [{ source_url: "http://a/", headers: { "a b": "c" } }, "headers"],
        [{ source_url: "http://a/", headers: { a: "b\r\nc" } }, "headers"],
        [{ source_url: "http://a/", headers: ["a"] }, "headers"],
        [{ source_url: "http://a/", metadata: { a: 1 } }, "metadata"],
        [
          {
            ...{ source_url: "http://a/", disable_verification: true },
            metadata: { a: "x".repeat(65_530) },
          },
          "metadata",
        ],
        [{ source_url: "http://a/", title: "a".repeat(5000) }, "title"],
        [
          { source_url: "http://a/", disable_verification: "x" },
          "disable_verification",
        ],
        [{ source_url: "http://a/", source_md5: "x" }, "source_md5"],
        [{ source_url: "http://a/", source_size: -1 }, "source_size"],
        [
          { source_url: "http://a/", js_injection: "a".repeat(1_048_577) },
          "js_injection",
        ],
      ])(
        "[V3-4] [V3-11] [V3-17] [V3-18] rejects %.60j",
        async (body, field) => {
          const client = await service.client();
          const answer = await client.call("POST", "/assets/", body);
          expect([answer.status, Object.keys(answer.json as object)]).toEqual([
            ...[400, [field]],
          ]);
          expect(await client.get("/assets/")).toEqual([]);
        },
      );
    });

    describe("uploaded", () => {
      it("[V3-13] a file becomes an asset with the fields sent with it", async () => {
        const client = await service.client();
        const answer = await upload(
          client,
          blue,
          {
            ...{ folder_name: "Lobby", metadata: '{"a":"b"}' },
            ...{ disable_verification: "True", source_size: `${blue.length}` },
          },
          "blue.png",
        );
        expect(answer.status).toBe(201);
        expect(assetV3.parse(answer.json)).toMatchObject({
          ...{ title: "blue.png", folder_name: "Lobby", source_url: "" },
          ...{ metadata: { a: "b" }, disable_verification: true },
        });
        expect(await finished(client, answer.json.id)).toMatchObject({
          ...{ type: "image", status: "finished", width: 64 },
        });
      });

      it("[V3-13] rejects what is not a file, empty, or not as announced", async () => {
        const client = await service.client();
        const fields = [
          [await upload(client, null, { title: "x" }), "file"],
          [await upload(client, Buffer.alloc(0), {}), "file"],
          [await client.call("POST", "/assets/upload/", {}), "file"],
          [await upload(client, blue, { headers: '{"a b":"c"}' }), "headers"],
        ] as const;
        for (const [answer, field] of fields)
          expect([answer.status, Object.keys(answer.json as object)]).toEqual([
            ...[400, [field]],
          ]);
        for (const [name, value] of Object.entries({
          ...{ source_md5: "0".repeat(32), source_size: "5" },
        })) {
          const answer = await upload(client, blue, { [name]: value });
          expect([answer.status, Object.keys(answer.json as object)]).toEqual([
            ...[400, [name]],
          ]);
        }
        expect(await client.get("/assets/")).toEqual([]);
      });

      it("[V4-250] damaged media ends as error with its reason", async () => {
        const client = await service.client();
        const flipped = Buffer.from(blue);
        flipped.writeUInt8(flipped.readUInt8(50) ^ 1, 50);
        const pages = await pdf([{ colour: [1, 2, 3] }]);
        for (const bytes of [
          ...[blue.subarray(0, 80), flipped],
          pages.subarray(0, pages.length - 20),
        ]) {
          const { json } = await upload(client, bytes, {});
          expect(await finished(client, json.id)).toMatchObject({
            ...{ status: "error", finalized: false, asset_url: "" },
          });
          const [row] = await client.rows(
            `/v4/assets?select=processing_error&id=eq.${json.id}`,
          );
          expect(row?.processing_error).toContain("damaged");
        }
      });

      it("[V3-11] media that cannot be decoded ends as error", async () => {
        const client = await service.client();
        const answer = await upload(client, Buffer.from("\0\x01nothing"), {});
        expect(await finished(client, answer.json.id)).toMatchObject({
          ...{ status: "error", finalized: false, asset_url: "" },
        });
      });
    });

    describe("changed", () => {
      const created = async (client: ClientV3): Promise<any> =>
        client.make("/assets/", {
          ...{ source_url: "http://127.0.0.1:9/", title: "One" },
          ...{ disable_verification: true, folder_name: "Lobby" },
        });

      it("[V3-8] PUT accepts the whole object as it was read and keeps omitted fields", async () => {
        const client = await service.client();
        const asset = await finished(client, (await created(client)).id);
        const path = `/assets/${asset.id}/`;
        const same = await client.call("PUT", path, asset);
        expect([same.status, same.json]).toEqual([200, asset]);
        const renamed = await client.call("PUT", path, { title: "Two" });
        expect(renamed.json).toEqual({ ...asset, title: "Two" });
        const odd = { id: "x", status: "none", md5: "x", nonsense: {} };
        expect((await client.call("PUT", path, odd)).json).toEqual({
          ...{ ...asset, title: "Two" },
        });
      });

      it("[V3-8] two concurrent changes of different fields both apply", async () => {
        const client = await service.client();
        const { id } = await created(client);
        await Promise.all(
          [{ title: "A" }, { metadata: { b: "c" } }, { folder_name: "D" }].map(
            (body) => client.call("PATCH", `/assets/${id}/`, body),
          ),
        );
        expect(await client.get(`/assets/${id}/`)).toMatchObject({
          ...{ title: "A", metadata: { b: "c" }, folder_name: "D" },
        });
      });

      it("[V3-8] one invalid field and nothing is stored", async () => {
        const client = await service.client();
        const { id } = await created(client);
        const body = { title: "Two", headers: { "a b": "c" } };
        const answer = await client.call("PATCH", `/assets/${id}/`, body);
        expect(answer.status).toBe(400);
        expect(await client.get(`/assets/${id}/`)).toMatchObject({
          title: "One",
        });
      });

      it("[V3-16] a folder is created by its name, once, and can be left again", async () => {
        const client = await service.client();
        const [one, two] = [await created(client), await created(client)];
        const names = Array.from({ length: 4 }, () => ({
          folder_name: "New",
        }));
        await Promise.all(
          names.map((body, at) =>
            client.call(
              "PATCH",
              `/assets/${(at % 2 === 0 ? one : two).id}/`,
              body,
            ),
          ),
        );
        const groups = await client.rows("/v4.1/asset-groups?select=title");
        expect(groups.map((row) => row["title"]).sort()).toEqual([
          ...["Lobby", "New"],
        ]);
        for (const none of [null, ""]) {
          const body = { folder_name: none };
          const left = await client.call("PATCH", `/assets/${one.id}/`, body);
          expect(left.json.folder_name).toBe("");
        }
      });

      it("[V3-17] JSON that version 4 stored in another form is unchanged", async () => {
        const client = await service.client();
        const metadata = {
          tags: ["a", { b: 1 }],
          n: 1.5,
          t: true,
          z: null,
          s: "x",
        };
        const [row] = await client.add("/v4.1/assets", {
          title: "A",
          metadata,
        });
        const asset = await client.get(`/assets/${row?.id}/`);
        expect(assetV3.parse(asset).metadata).toEqual({
          ...{
            tags: '["a", {"b": 1}]',
            n: "1.5",
            t: "true",
            z: "null",
            s: "x",
          },
        });
        const changed = { ...asset.metadata, s: "y" };
        await client.call("PUT", `/assets/${row?.id}/`, {
          ...{ ...asset, metadata: changed },
        });
        const [after] = await client.rows("/v4.1/assets?select=metadata");
        expect(after).toEqual({ metadata: { ...metadata, s: "y" } });
        for (const odd of [[1], "text", 5, null]) {
          const [other] = await client.add("/v4.1/assets", { metadata: odd });
          const shown = await client.get(`/assets/${other?.id}/`);
          expect(assetV3.parse(shown).metadata).toEqual({});
        }
      });
    });

    it("[V3-14] a deleted asset is removed from lists and playlists, which keep their order", async () => {
      const client = await service.client();
      const rows = await client.add(
        "/v4.1/assets",
        ["a", "b", "c"].map((title) => ({ title })),
      );
      const assets = rows.map(({ id }) => ({ id, duration: 5 }));
      const playlist = await client.make("/playlists/", {
        ...{ title: "P", assets: [...assets, assets[0]] },
      });
      const gone = await client.call("DELETE", `/assets/${assets[0]?.id}/`);
      expect([gone.status, gone.text]).toEqual([200, ""]);
      const again = await client.call("DELETE", `/assets/${assets[0]?.id}`);
      expect(again.status).toBe(404);
      expect(await client.get(`/playlists/${playlist.id}/`)).toMatchObject({
        ...{ assets: assets.slice(1), duration: 10 },
      });
    });

    it("[V3-15] capture responds at once; a new image follows where there is a browser, otherwise the log says why", async () => {
      const client = await service.client();
      const web = await serveWeb({ "/": "<p>hello</p>" });
      const created = await client.make("/assets/", {
        source_url: web.address,
      });
      const asset = await finished(client, created.id);
      const answer = await client.call("GET", `/assets/${asset.id}/capture/`);
      expect([answer.status, answer.json]).toEqual([200, asset]);
      const thumbnail = await vi.waitUntil(async () => {
        const [row] = await client.rows(
          `/v4.1/assets?id=eq.${asset.id}&select=thumbnail_uri`,
        );
        return row?.["thumbnail_uri"];
      }, pollOptions);
      const shown = await fetch(thumbnail as string);
      expect(shown.headers.get("content-type")).toBe("image/webp");
      expect(pictured.at(-1)).toMatchObject({ url: web.address });
      const file = await upload(client, blue, {});
      const id = file.json.id as string;
      expect((await client.call("GET", `/assets/${id}/capture`)).status).toBe(
        200,
      );
      await expect
        .poll(() => logged)
        .toContainEqual([
          ...[
            "asset.page-not-captured",
            { asset: id, reason: "it is not a web page" },
          ],
        ]);
    });
  },
  {
    log: { ...log, warn: (...reported) => void logged.push(reported) },
    takeScreenshot: async (page) => {
      pictured.push(page);
      return png([1, 2, 3]);
    },
  },
);

const pictured: unknown[] = [];
