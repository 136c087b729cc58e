// Random input on every path of version 4: always a response in its shape, never a server error, on both databases.

import fc from "fast-check";
import { expect, it } from "vitest";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { anyBody, anyType } from "../../../support/fuzz/json-bodies.ts";
import { assertEnded } from "../../../support/fuzz/assert-ended.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";
import { textOf, querySpecs } from "../../../support/content/v4-grammar.ts";

const collections = [
  ...["assets", "asset-groups", "screens", "playlists", "playlist-items"],
  ...["playlists/shared", "labels", "labels/screens", "labels/playlists"],
  ...["users", "teams", "edge-apps", "edge-apps/versions", "none"],
  ...["edge-apps/channels", "edge-apps/installations", "edge-apps/settings"],
  ...["edge-apps/settings/values", "edge-apps/secrets/values"],
  ...["edge-apps/copy-assets", "edge-apps/settings/values/none", ""],
];

const columns = [
  ...["id", "title", "name", "type", "status", "duration", "metadata"],
  ...["created_at", "team_id", "asset_id", "playlist_id", "edge_app_id"],
  ...["position", "revision", "*", "none", "metadata->a", "__proto__"],
];

/** One of each kind. */
async function furnished(client: ClientV3): Promise<readonly string[]> {
  const { screenId } = await claimedPlayer(client);
  const [app] = await client.add("/v4/edge-apps", { name: "App" });
  const [asset] = await client.add("/v4/assets", { title: "A" });
  const [list] = await client.add("/v4/playlists", { title: "P" });
  await client.add("/v4/playlist-items", {
    ...{ playlist_id: list?.id, asset_id: asset?.id },
  });
  return [screenId, app?.id ?? "", asset?.id ?? "", list?.id ?? ""];
}

/** Nearly valid terms, one per column. */
function terms(known: readonly string[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(
    ...[...known, "1", "-1", "null", "true", "%00", "%ff", "(", "(1,2", "*"],
    ...["2026-01-01", "infinity", "1e400", "9".repeat(30), "%F0%9F%92%A9", '"'],
  );
  const operator = fc.constantFrom(
    ...["eq", "not.eq", "in", "is", "like", "match", "fts", "gt", "cs", "none"],
  );
  const filter = fc
    .tuple(fc.constantFrom(...columns), operator, value)
    .map(([column, word, text]) => `${column}=${word}.${text}`);
  const shape = fc
    .tuple(
      fc.constantFrom("select", "order", "limit", "offset", "columns", "or"),
      fc.oneof(fc.constantFrom(...columns), value),
    )
    .map(([word, text]) => `${word}=${text}`);
  const embed = fc
    .tuple(
      fc.constantFrom(...collections),
      fc.constantFrom("", "!inner", "!left"),
    )
    .map(
      ([name, hint]) =>
        `select=*,${name.replaceAll("-", "_").replace("/", "_")}${hint}(*)`,
    );
  return fc.oneof(filter, shape, embed);
}

const headers = fc.constantFrom<Readonly<Record<string, string>>>(
  ...[{}, {}, { Prefer: "return=representation" }],
  ...[{ Prefer: "count=exact" }, { Prefer: "handling=strict, nonsense" }],
  ...[{ Range: "0-1" }, { Range: "9-1" }, { Accept: "text/csv" }],
  ...[{ Accept: "application/vnd.pgrst.object+json" }, { Accept: "x/y" }],
  ...[{ Prefer: "resolution=merge-duplicates" }, { Accept: "text/html" }],
  ...[{ "Content-Encoding": "gzip" }, { "Content-Encoding": "none" }],
);

eachV3((service) => {
  it("[V4-261] answers any input, below 500", async () => {
    const client = await service.client();
    const known = await furnished(client);
    const request = fc.record({
      method: fc.constantFrom("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"),
      version: fc.constantFrom("v4", "v4", "v4.1"),
      path: fc.constantFrom(...collections),
      query: fc.oneof(
        {
          weight: 4,
          arbitrary: fc
            .array(terms(known), { maxLength: 4 })
            .map((all) => all.join("&")),
        },
        querySpecs.map(textOf),
      ),
      type: anyType,
      more: headers,
      body: anyBody,
    });
    await assertEnded(
      fc.asyncProperty(
        request,
        async ({ method, version, path, query, type, more, body }) => {
          const isRead = method === "GET" || method === "HEAD";
          const answer = await client.call(
            method,
            `/${version}/${path}?${query}`,
            isRead ? undefined : body,
            { ...more, ...(!isRead && { "Content-Type": type }) },
          );
          const isFine =
            answer.status < 500 ||
            (answer.status === 503 && answer.headers.has("retry-after"));
          expect([answer.text.slice(0, 200), isFine]).toEqual([
            ...[answer.text.slice(0, 200), true],
          ]);
          if (answer.status >= 400 && answer.text !== "")
            expect(answer.json ?? answer.text).toBeTypeOf("object");
        },
      ),
      runSettings,
    );
  });
});
