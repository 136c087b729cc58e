// Long lists, read page behind page while rows come and go in between.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { plainAccount } from "../../../../server/core/sync-state.ts";
import { createCloudHttp } from "../../../../server/player/sync/remote/remote-http.ts";
import { createCloudV4 } from "../../../../server/player/sync/remote/v4.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { sendJson } from "../../../support/faulty-cloud.ts";

const idOf = (number: number): string => `A${String(number).padStart(5, "0")}`;

/** Web assets of one group; between two pages `change` is called. */
async function servePages(rows: Set<number>, change: () => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    asked.push(url.pathname + url.search);
    if (url.pathname.endsWith("/asset-groups"))
      return sendJson(response, [{ id: "G1", title: "Menus" }]);
    const after = url.searchParams.get("id")?.replace("gt.", "") ?? "";
    const limit = Number(url.searchParams.get("limit"));
    const page = [...rows]
      .map(idOf)
      .filter((id) => id > after)
      .sort()
      .slice(0, limit)
      .map((id) => ({
        ...{ id, title: id, type: "web", status: "finished" },
        asset_url: "https://example.org/",
      }));
    sendJson(response, page);
    change();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, asked };
}

describe("[fault 41] [V2-215] a list that changes while it is read", () => {
  it("loses and doubles nothing that was there all the time", async () => {
    const lasting = Array.from({ length: 1400 }, (_, place) => place * 10);
    const rows = new Set(lasting);
    let turn = 0;
    const { address, asked } = await servePages(rows, () => {
      turn += 1;
      // New ones in front, in the middle and behind; others go, from where the reader is and has been.
      for (const at of [1, 4001, 7003, 13_995]) rows.add(at + turn);
      rows.delete(1 + turn - 1);
      rows.delete(4001 + turn - 1);
    });
    const signal = new AbortController().signal;
    const http = createCloudHttp(
      {
        ...{ baseUrl: address, token: "t" },
        ...{ isCertificateSkipped: false, proxyUrl: null },
      },
      Date.now,
      () => signal,
    );
    const cloud = createCloudV4(http, address, "", "v4.1", "t");
    const look = await cloud.look({ ...plainAccount, assetGroups: ["Menus"] });
    const ids = look?.wanted.assets.map(({ remoteId }) => remoteId) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    for (const number of lasting) expect(ids).toContain(idOf(number));
    expect(asked.filter((url) => url.includes("/assets?")).length).toBe(3);
  });
});
