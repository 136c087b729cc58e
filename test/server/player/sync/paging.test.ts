// Long lists, read page by page while rows are added and removed in between.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { connectionDefaults } from "../../../../server/core/sync-plan/sync-state.ts";
import { createCloudHttp } from "../../../../server/player/sync/remote/remote-http.ts";
import type { Cloud } from "../../../../server/player/sync/connection/poll.ts";
import { createCloudV4 } from "../../../../server/player/sync/remote/v4.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { sendJson } from "../../../support/faulty-service/faulty-service.ts";

const idOf = (number: number): string => `A${String(number).padStart(5, "0")}`;

/** Web assets of one group; between two pages `change` is called. */
async function servePages(
  rows: Set<number>,
  change: () => void,
  /**
   * Fewer rows than requested, as PostgREST limits them: with a 206 and a range, with a plain 200, or without a range where a proxy
   * removes it.
   */
  limits: {
    readonly rowsAtOnce: number;
    readonly total?: boolean;
    readonly cut?: "206" | "200" | "no range";
  } = { rowsAtOnce: Infinity },
) {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    requestedPaths.push(url.pathname + url.search);
    const most = limits.rowsAtOnce;
    if (url.pathname.endsWith("/asset-groups"))
      return sendJson(response, [{ id: "G1", title: "Menus" }]);
    const after = url.searchParams.get("id")?.replace("gt.", "") ?? "";
    const limit = Number(url.searchParams.get("limit"));
    const remaining = [...rows]
      .map(idOf)
      .filter((id) => id > after)
      .sort();
    const page = remaining.slice(0, Math.min(limit, most)).map((id) => ({
      ...{ id, title: id, type: "web", status: "finished" },
      asset_url: "https://example.org/",
    }));
    const { cut = "206" } = limits;
    const isCut = page.length === most && cut === "206";
    if (most < Infinity && cut !== "no range")
      response.setHeader(
        "Content-Range",
        `${page.length > 0 ? `0-${page.length - 1}` : "*"}/${limits.total ? remaining.length : "*"}`,
      );
    sendJson(response, page, isCut ? 206 : 200);
    change();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, requestedPaths };
}

describe("[fault 41] [V2-215] a list that changes while it is read", () => {
  it("neither loses nor duplicates what was there all the time", async () => {
    const permanent = Array.from({ length: 1400 }, (_, place) => place * 10);
    const rows = new Set(permanent);
    let round = 0;
    const { address, requestedPaths } = await servePages(rows, () => {
      round += 1;
      // New ones at the start, in the middle and at the end; others are removed, from the page being read and from those before.
      for (const at of [1, 4001, 7003, 13_995]) rows.add(at + round);
      rows.delete(1 + round - 1);
      rows.delete(4001 + round - 1);
    });
    const ids = await readMenus(address);
    expect(new Set(ids).size).toBe(ids.length);
    for (const number of permanent) expect(ids).toContain(idOf(number));
    expect(
      requestedPaths.filter((url) => url.includes("/assets?")).length,
    ).toBe(3);
  });
});

function openMenus(address: string, now = Date.now): Cloud {
  const signal = new AbortController().signal;
  const http = createCloudHttp(
    {
      ...{ baseUrl: address, token: "t" },
      ...{ isCertificateSkipped: false, proxyUrl: null },
    },
    now,
    () => signal,
  );
  return createCloudV4(http, address, "", "v4.1", "t");
}

/** Identifiers of the group's content, as a sync reads it. */
async function readMenus(address: string): Promise<readonly string[]> {
  const cloud = openMenus(address);
  const desired = await cloud.pollDesiredState({
    ...connectionDefaults,
    assetGroups: ["Menus"],
  });
  return desired?.content.assets.map(({ remoteId }) => remoteId) ?? [];
}

describe("[V2-541] a service that returns fewer rows than requested", () => {
  it.each([true, false])(
    "is read on until the list is complete (total sent: %s)",
    async (total) => {
      const rows = new Set(Array.from({ length: 25 }, (_, place) => place));
      const { address, requestedPaths } = await servePages(
        rows,
        () => undefined,
        {
          ...{ rowsAtOnce: 10, total },
        },
      );
      expect(await readMenus(address)).toEqual([...rows].map(idOf));
      expect(
        requestedPaths.filter((url) => url.includes("/assets?")).length,
      ).toBe(3);
      for (const gone of [20, 21, 22, 23, 24]) rows.delete(gone);
      // The last page is cut where the list ends: only the next response shows whether it is complete.
      expect(await readMenus(address)).toEqual([...rows].map(idOf));
    },
  );

  it.each(["200", "no range"] as const)(
    "[V2-622] is read on where it silently truncates a list (%s)",
    async (cut) => {
      const rows = new Set(Array.from({ length: 25 }, (_, place) => place));
      const { address } = await servePages(rows, () => undefined, {
        ...{ rowsAtOnce: 10, cut },
      });
      expect(await readMenus(address)).toEqual([...rows].map(idOf));
      for (const gone of [20, 21, 22, 23, 24]) rows.delete(gone);
      expect(await readMenus(address)).toEqual([...rows].map(idOf));
    },
  );

  it("[V2-622] gets one more request for a list that it returns completely, and none while that stays the same", async () => {
    const rows = new Set([1, 2, 3]);
    const { address, requestedPaths } = await servePages(rows, () => undefined);
    const cloud = openMenus(address);
    const requests = async (): Promise<number> => {
      requestedPaths.length = 0;
      await cloud.pollDesiredState({
        ...connectionDefaults,
        assetGroups: ["Menus"],
      });
      return requestedPaths.filter((url) => url.includes("asset_group_id"))
        .length;
    };
    expect(await requests()).toBe(2);
    expect(await requests()).toBe(1);
    rows.add(4);
    expect(await requests()).toBe(2);
  });

  it("[V2-622] is found to have more within ten minutes where its list was as long as its page limit, and grew after its last row", async () => {
    const rows = new Set(Array.from({ length: 10 }, (_, place) => place));
    const { address } = await servePages(rows, () => undefined, {
      ...{ rowsAtOnce: 10, cut: "200" },
    });
    let now = Date.now();
    const cloud = openMenus(address, () => now);
    const poll = async () => {
      const seen = await cloud.pollDesiredState({
        ...connectionDefaults,
        assetGroups: ["Menus"],
      });
      return seen?.content.assets.map(({ remoteId }) => remoteId);
    };
    expect(await poll()).toHaveLength(10);
    rows.add(10);
    now += 600_000;
    expect(await poll()).toEqual([...rows].map(idOf));
  });

  it("whose list makes no progress is malformed, and not read for ever", async () => {
    // Whatever is requested, this one row is returned, and announced as incomplete.
    const stubborn = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.pathname.endsWith("/asset-groups"))
        return sendJson(response, [{ id: "G1", title: "Menus" }]);
      const row = {
        id: "A1",
        type: "web",
        status: "finished",
        asset_url: "https://example.org/",
      };
      sendJson(response, [row], 206);
    });
    await new Promise<void>((resolve) =>
      stubborn.listen(0, "127.0.0.1", resolve),
    );
    afterThisTest(async () => {
      stubborn.closeAllConnections();
      stubborn.close();
    });
    const { port } = stubborn.address() as AddressInfo;
    await expect(readMenus(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: "malformed",
    });
  });
});
