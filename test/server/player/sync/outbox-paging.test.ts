// Outbox reads of a service that returns fewer rows than requested: a change is compared with all of them.

import { describe, expect, it } from "vitest";
import { createWriterV4 } from "../../../../server/player/sync/outbox/writer-v4.ts";
import type {
  Send,
  SentAnswer,
} from "../../../../server/player/sync/remote/send-http.ts";

const rowsAtOnce = 10;

/** Items of one playlist and its labels, cut as PostgREST's row limit cuts them. */
function limitedService(count: number) {
  const items = Array.from({ length: count }, (_, place) => ({
    ...{ id: `I${place + 100}`, playlist_id: "P1", asset_id: "A1" },
    ...{ duration: 5, position: place },
  }));
  const labels = Array.from({ length: count }, (_, place) => ({
    label_id: `L${place + 100}`,
  }));
  const sent: { method: string; path: string; json: unknown }[] = [];
  const send: Send = async (method, path, options) => {
    const url = new URL(path, "http://localhost");
    if (method !== "GET") {
      sent.push({
        method,
        path: url.pathname + url.search,
        json: options?.json,
      });
      return answer(204, null, {});
    }
    const all = url.pathname.endsWith("/playlist-items")
      ? items
      : url.pathname.endsWith("/labels/playlists")
        ? labels
        : items.map(({ id }) => ({ id, title: "T" }));
    const after = url.searchParams.get("id")?.replace("gt.", "") ?? "";
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const left = all
      .filter((row) => after === "" || ("id" in row && row.id > after))
      .slice(offset);
    const page = left.slice(0, rowsAtOnce);
    const range =
      page.length > 0 ? `${offset}-${offset + page.length - 1}/*` : "*/*";
    return answer(page.length < left.length ? 206 : 200, page, {
      "content-range": range,
    });
  };
  return { send, sent };
}

const answer = (
  status: number,
  json: unknown,
  headers: SentAnswer["headers"],
): SentAnswer => ({ status, json, headers });

describe("[V2-541] a service that returns ten rows at a time", () => {
  it("has every old item removed when a list is written, and each label compared", async () => {
    const { send, sent } = limitedService(25);
    const writer = createWriterV4(send, "", "v4.1");
    await writer.write("playlists", "P1", {
      items: [{ asset_id: "A2", duration: 7 }],
      labels: Array.from({ length: 24 }, (_, place) => `L${place + 100}`),
    });
    const removed = sent
      .filter(({ method, path }) => method === "DELETE" && /items/.test(path))
      .flatMap(({ path }) => /in\.\((.*)\)/.exec(path)?.[1]?.split(",") ?? []);
    expect(removed).toHaveLength(25);
    const [added] = sent.filter(({ path }) => path.endsWith("/playlist-items"));
    // After the very last one.
    expect(added?.json).toMatchObject([{ asset_id: "A2", position: 100_024 }]);
    expect(sent.filter(({ path }) => path.includes("labels"))).toEqual([
      {
        ...{ method: "DELETE", json: undefined },
        path: "/v4.1/labels/playlists?playlist_id=eq.P1&label_id=eq.L124",
      },
    ]);
  });

  it("is read page by page, and every object of a name is found", async () => {
    const { send } = limitedService(25);
    const writer = createWriterV4(send, "", "v4.1");
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const { rows, next } = await writer.read("groups", { after, limit: 100 });
      seen.push(...rows);
      after = next;
    } while (after !== null);
    expect(seen).toHaveLength(25);
    expect(await writer.alike("groups", { title: "T" })).toHaveLength(25);
  });
});
