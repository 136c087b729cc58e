// Replacing the file or address of an asset.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { png } from "../../../../support/media/media.ts";
import {
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

describe("[V2-294] replacing the source of an asset", () => {
  it("[V2-290] keeps name, dates, position, folder and other fields; the old file is deleted", async () => {
    const { add, upload, send, list } = await startPlayer();
    const before = await add({ name: "Menu", folder: "/Lunch / Week/" });
    expect(before.folder).toBe("Lunch/Week");
    await add({ name: "Other" });
    const { body } = await upload(png([9, 9, 9]));
    const at = `/assets/${before.asset_id}/source`;
    const answer = await send("POST", at, { uri: body.uri });
    expect(answer.status).toBe(200);
    const [after] = await list();
    expect(after).toEqual({
      ...{ ...before, uri: `${body.uri as string}.png` },
      stored: { ...before.stored, file: after?.stored.file },
    });
    const again = await send("POST", at, { uri: body.uri });
    expect([again.status, Object.keys(again.body)]).toEqual([400, ["uri"]]);
    expect(after?.stored.file?.sha256).toBe(
      createHash("sha256")
        .update(png([9, 9, 9]))
        .digest("hex"),
    );
  });

  it("sets another address of a page, and rejects one that no player can show", async () => {
    const { send, list } = await startPlayer();
    const page = {
      ...{ name: "Page", uri: "https://example.org/", mimetype: "webpage" },
      ...{ start_date: "2020-01-01", end_date: "2030-01-01", duration: 5 },
      ...{ is_enabled: true, skip_asset_check: true },
    };
    const { body: made } = await send("POST", "/assets", page);
    const at = `/assets/${made.asset_id}/source`;
    const changed = await send("POST", at, { uri: "https://example.org/b" });
    expect(changed.body).toEqual({ ...made, uri: "https://example.org/b" });
    for (const uri of ["file:///etc/passwd", "../x", ""]) {
      expect((await send("POST", at, { uri })).status).toBe(400);
    }
    expect((await list())[0]?.uri).toBe("https://example.org/b");
    const none = await send("POST", "/assets/nobody/source", { uri: "x" });
    expect(none.status).toBe(404);
  });

  it("[V2-100] checks the address with the headers of the asset", async () => {
    const { send } = await startPlayer();
    const requests: unknown[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers["x-door"]);
      response.writeHead(request.headers["x-door"] ? 200 : 401).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}`;
    const { body: made } = await send("POST", "/assets", {
      ...{ ...completeBody, uri: `${base}/a`, skip_asset_check: false },
      custom_headers: { "X-Door": "open" },
    });
    const at = `/assets/${made.asset_id}/source`;
    const { status } = await send("POST", at, { uri: `${base}/b` });
    expect([status, requests]).toEqual([200, ["open", "open"]]);
  });
});
