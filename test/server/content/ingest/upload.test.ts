// File uploads: streamed, recognised by their bytes, stored once, deleted with the last asset that needs them.

import { createHash } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { request as openRequest } from "node:http";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";
import { png } from "../../../support/media/media.ts";
import type {
  ContentClient,
  Row,
} from "../../../support/content/start-content.ts";
import { startContent } from "../../../support/content/start-content.ts";

/** Names of all files that are stored or still arriving. */
async function filesIn(dataDir: string): Promise<readonly string[]> {
  const all = await readdir(path.join(dataDir, "files"), {
    ...{ recursive: true, withFileTypes: true },
  });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const noFilesIn = (dataDir: string): Promise<void> =>
  vi.waitFor(async () => expect(await filesIn(dataDir)).toEqual([]), {
    interval: 20,
  });

async function uploaded(
  client: ContentClient,
  bytes: Buffer,
  fields: Readonly<Record<string, string>>,
): Promise<Row> {
  const answer = await client.upload(bytes, fields);
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
  return (JSON.parse(text) as [Row])[0];
}

async function finished(client: ContentClient, id: string): Promise<Row> {
  return vi.waitUntil(
    async () => {
      const [row] = await client.rows(`/v4.1/assets?id=eq.${id}`);
      return row?.["status"] === "finished" && row;
    },
    { interval: 20 },
  );
}

const remove = (client: ContentClient, path: string) =>
  client.request(path, { method: "DELETE" });

describe("an upload", () => {
  eachContent(({ start, ground }) => {
    it("[V4-33] [V4-272] is rejected as a storage failure, without a path of the machine, when the folder is unusable", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const aside = path.join(dataDir, "files", "aside");
      await rm(aside, { recursive: true });
      await writeFile(aside, "no folder");
      const answer = await content.upload(png([1, 2, 3]), { title: "A" });
      const text = await answer.text();
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).not.toBeNull();
      expect(JSON.parse(text)).toMatchObject({ code: "58030" });
      expect(text).not.toContain(dataDir);
      expect(text).not.toContain("database");
    });

    it("[V4-219] is an asset at once, and finished soon after", async () => {
      const content = await start();
      const bytes = png([7, 7, 7]);
      const row = await uploaded(content, bytes, {
        ...{ title: "Poster", metadata: '{"floor": 3}' },
        ...{ send_metadata: "true", source_size: String(bytes.length) },
      });
      expect(row).toMatchObject({
        ...{ title: "Poster", status: "none", asset_url: "", type: null },
        ...{ metadata: { floor: 3 }, send_metadata: true, source_url: null },
      });
      expect(await finished(content, row.id)).toMatchObject({
        ...{ title: "Poster", type: "image", width: 64 },
        source_md5: createHash("md5").update(bytes).digest("hex"),
      });
    });

    it("[V2-401] that is rejected gets the reason while it is still being sent", async () => {
      const content = await start({ maxFileMb: 0.001 });
      const head =
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
      const body = Buffer.concat([
        Buffer.from(head),
        Buffer.alloc(8 * 1024 * 1024),
        Buffer.from("\r\n--b--\r\n"),
      ]);
      const form = { "Content-Type": "multipart/form-data; boundary=b" };
      const wrongKey = { ...form, Authorization: "Token wrong" };
      const refused: readonly (readonly [number, string, object])[] = [
        ...[413, 413, 413].map((code) => [code, "/v4/assets", form] as const),
        ...[[413, "/api/v3/assets/upload/", form] as const],
        ...[[401, "/v4/assets", wrongKey] as const],
        ...[[401, "/api/v3/assets/upload/", wrongKey] as const],
        ...[[404, "/v4/nothing", form] as const],
        ...[[413, "/api/link/v1/heartbeat", form] as const],
        ...[[401, "/api/link/v1/screenshot", wrongKey] as const],
      ];
      for (const [status, path, headers] of refused) {
        const method = path.endsWith("screenshot") ? "PUT" : "POST";
        const answer = await content.request(path, {
          ...{ method, body },
          headers: headers as Record<string, string>,
        });
        await answer.json();
        expect([path, answer.status]).toEqual([path, status]);
      }
    });

    it("[V4-219] without Prefer is answered with 201 and no body", async () => {
      const content = await start();
      const body = new FormData();
      body.set("title", "a");
      body.set("file", new Blob([new Uint8Array(png([1, 1, 1]))]), "file");
      const answer = await content.request("/api/v4.1/assets/", {
        ...{ method: "POST", body },
      });
      expect([answer.status, await answer.text()]).toEqual([201, ""]);
    });

    it("[V4-219] is named after its file, also with a Windows path", async () => {
      const content = await start();
      const reported = (text: string): Buffer => Buffer.from(text, "latin1");
      const names = [
        "Caf\xe9 \x96 \x80.png",
        Buffer.from("Café.png").toString("latin1"),
      ];
      for (const name of names) {
        const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
        const answer = await content.request("/v4.1/assets", {
          method: "POST",
          headers: { "Content-Type": "multipart/form-data; boundary=b" },
          body: Buffer.concat([
            reported(head),
            png([1, 1, names.indexOf(name)]),
            reported("\r\n--b--\r\n"),
          ]),
        });
        expect(answer.status).toBe(201);
      }
      const rows = await content.rows("/v4/assets?select=title&order=title");
      expect(rows.map((row) => row["title"]).sort()).toEqual([
        ...["Café – €.png", "Café.png"],
      ]);
    });

    it("[V4-222] of an edge app's file is stored as it is, with its signature", async () => {
      const content = await start();
      const [app] = await content.add("/v4/edge-apps", { name: "Clock" });
      const row = await uploaded(content, Buffer.from("test test test test"), {
        ...{ title: "index.html", app_id: app?.id ?? "" },
      });
      expect(await finished(content, row.id)).toMatchObject({
        ...{ type: "edge-app-file", mimetype: "text/html", app_id: app?.id },
        ...{ app_revision: null, title: "index.html" },
        signature: expect.stringMatching(/^0a20098fd57f.*fb1000$/) as string,
      });
    });

    it("[V4-214] of an edge app's file is shared with its next revision, and outlives the first", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const [app] = await content.add("/v4/edge-apps", { name: "Clock" });
      const bytes = Buffer.from("body { color: red }");
      const first = await uploaded(content, bytes, {
        ...{ title: "a.css", app_id: app?.id ?? "", app_revision: "1" },
      });
      const { signature } = await finished(content, first.id);
      const copied = await content.request("/v4/edge-apps/copy-assets", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...{ app_id: app?.id, revision: 2, signatures: [signature] },
        }),
      });
      expect(await copied.json()).toEqual([signature]);
      await remove(content, `/v4/assets?id=eq.${first.id}`);
      const [second] = await content.rows("/v4/assets?type=eq.edge-app-file");
      const file = await fetch(String(second?.["asset_url"]));
      expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
      await remove(content, `/v4/assets?id=eq.${second?.id}`);
      await noFilesIn(dataDir);
    });

    it("[V4-219] that is rejected leaves nothing behind", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, {
        ...{ databaseUrl, maxFileMb: 1 },
      });
      const bytes = png([1, 2, 3]);
      const refusals = [
        [await content.upload(Buffer.alloc(1_500_000), {}), 413],
        [await content.upload(bytes, { source_md5: "0".repeat(32) }), 400],
        [await content.upload(Buffer.alloc(0), { title: "empty" }), 400],
        [await content.upload(bytes, { no_such_field: "1" }), 400],
        [await content.upload(bytes, { app_revision: "many" }), 400],
        [await content.upload(bytes, { metadata: "{" }), 400],
        [
          await content.upload(Buffer.alloc(500_000), {
            title: "a".repeat(1_200_000),
          }),
          413,
        ],
      ] as const;
      for (const [answer, status] of refusals) {
        expect(await answer.json()).toHaveProperty("code");
        expect(answer.status).toBe(status);
      }
      expect(await content.rows("/v4/assets")).toEqual([]);
      await noFilesIn(dataDir);
    });

    it.each([
      ["a second file", ["file", "file"], /second part "file"/],
      ["a file in another part", ["image"], /in the part "image"/],
      ["one more in another part", ["file", "im\u00e4ge"], /part "imäge"/],
      ["one more before it", ["other", "file"], /in the part "other"/],
    ])(
      "[V4-340] with %s is 400, in versions 3 and 4, and leaves nothing behind",
      async (_title, parts, sentence) => {
        const { dataDir, databaseUrl } = await ground();
        const content = await startContent(dataDir, { databaseUrl });
        const send = async (path: string) => {
          const body = new FormData();
          body.set("title", "a");
          body.set("source_url", "http://127.0.0.1/a.png");
          for (const [index, part] of parts.entries()) {
            const bytes = new Uint8Array(png([9, 9, index]));
            body.append(part, new Blob([bytes]), "a.png");
          }
          return content.request(path, { method: "POST", body });
        };
        const matching = expect.stringMatching(sentence) as string;
        for (const path of ["/v4/assets", "/api/v4.1/assets/"]) {
          const answer = await send(path);
          expect([answer.status, await answer.json()]).toEqual([
            400,
            {
              ...{ code: "22023", message: matching, hint: null },
              details: matching,
            },
          ]);
        }
        const answer = await send("/api/v3/assets/upload/");
        expect([answer.status, await answer.json()]).toEqual([
          ...[400, { file: [matching] }],
        ]);
        expect(await content.rows("/v4/assets")).toEqual([]);
        await noFilesIn(dataDir);
      },
    );

    it("[V4-32] that is rejected for one of its parts names the part in a text", async () => {
      const content = await start();
      const answer = await content.upload(Buffer.alloc(0), { title: "empty" });
      expect(await answer.json()).toEqual({
        ...{ code: "22023", message: "The file is empty.", hint: null },
        details: "The file is empty.",
      });
      const wrong = { source_size: "1" };
      const other = await content.upload(png([1, 2, 3]), wrong);
      const { details } = (await other.json()) as Record<string, unknown>;
      expect(details).toContain("source_size is 1");
    });

    it("[V4-219] [V4-27] reads its other fields like any body, with all digits", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const bytes = png([1, 2, 3]);
      const deep = `${"[".repeat(101)}${"]".repeat(101)}`;
      const refusals = [
        ...[{ title: "a\0" }, { metadata: deep }, { metadata: '"\\ud800"' }],
        ...[{ metadata: '{"a":"\\u0000"}' }, { metadata: "1e99999" }],
      ];
      for (const fields of refusals) {
        const answer = await content.upload(bytes, fields);
        expect([fields, answer.status]).toEqual([fields, 400]);
        expect(await answer.json()).toHaveProperty("code");
      }
      expect(await content.rows("/v4/assets")).toEqual([]);
      await noFilesIn(dataDir);
      const metadata = '{"n": 12345678901234567890}';
      const { id } = await uploaded(content, bytes, {
        ...{ metadata, send_metadata: "TRUE", app_revision: "7" },
      });
      const path = `/v4/assets?id=eq.${id}&select=metadata,send_metadata,app_revision`;
      const text = await (await content.request(path)).text();
      expect(text.replaceAll(" ", "")).toBe(
        '[{"metadata":{"n":12345678901234567890},"send_metadata":true,"app_revision":7}]',
      );
    });

    it("[V4-219] that breaks off leaves nothing behind, and affects no other", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const request = openRequest(`${content.address}/v4/assets`, {
        method: "POST",
        headers: {
          Authorization: "Token key-of-the-tests",
          "Content-Type": "multipart/form-data; boundary=b",
          "Content-Length": 5_000_000,
        },
      });
      request.on("error", () => undefined);
      request.write(
        '--b\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n',
      );
      request.write(Buffer.alloc(2_000_000));
      await vi.waitUntil(async () => (await filesIn(dataDir)).length === 1);
      request.destroy();
      await noFilesIn(dataDir);
      const row = await uploaded(content, png([1, 1, 1]), { title: "b" });
      expect(await finished(content, row.id)).toMatchObject({ title: "b" });
    });

    it("[V4-214] of the same content is stored once, and deleted with the last asset", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const bytes = png([2, 4, 6]);
      const [group] = await content.add("/v4/asset-groups", { title: "G" });
      const first = await uploaded(content, bytes, { title: "1" });
      const second = await uploaded(content, bytes, {
        ...{ title: "2", asset_group_id: group?.id ?? "" },
      });
      const { asset_url: url } = await finished(content, first.id);
      await finished(content, second.id);
      // The image and its preview.
      expect(await filesIn(dataDir)).toHaveLength(2);
      await remove(content, `/v4/assets?id=eq.${first.id}`);
      expect((await fetch(String(url))).status).toBe(404);
      expect(await filesIn(dataDir)).toHaveLength(2);
      await remove(content, `/v4/asset-groups?id=eq.${group?.id}`);
      expect(await content.rows("/v4/assets")).toEqual([]);
      await noFilesIn(dataDir);
    });
  });
});
