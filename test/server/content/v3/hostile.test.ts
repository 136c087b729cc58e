// Random input on every path of version 3 and the link: always a JSON response, never a server error, on both databases.

import fc from "fast-check";
import { expect, it } from "vitest";
import { linkPaths } from "../../../../server/contract/link/link.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { anyBody, anyType } from "../../../support/fuzz/json-bodies.ts";
import { assertEnded } from "../../../support/fuzz/assert-ended.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";

const ids = (client: { readonly known: readonly string[] }) => [
  ...client.known,
  ...["all-screens", "none", "%00", "..%2f", "__proto__", "%ff"],
];

/** Paths of existing objects. */
function pathsOf(known: readonly string[]): readonly string[] {
  const single = ids({ known }).flatMap((id) =>
    [
      ...["assets", "groups", "playlists", "screens"],
      ...["alerts/incidents", "alerts/rules", "assertions"],
    ].map((of) => `/api/v3/${of}/${id}/`),
  );
  return [
    ...single,
    ...["assets/", "assets/upload/", "groups/", "playlists/", "screens/"].map(
      (path) => `/v3/${path}`,
    ),
    ...["commands", "outages", "outages/totals", "states"].map(
      (path) => `/v3/screens/${path}`,
    ),
    "/v3/playbacks/report",
    ...["incidents", "rules"].map((path) => `/v3/alerts/${path}`),
    ...["/v3/assertions/", "/v3/what-if/"],
    ...["predicate-validation", "predicate/evaluate", "playbacks", "me"].map(
      (path) => `/v3/${path}`,
    ),
    ...known.flatMap((id) => [
      ...[
        `/v3/alerts/rules/${id}/test/`,
        `/v3/alerts/incidents/${id}/acknowledge`,
      ],
      ...[`/v3/screens/${id}/commands/`, `/v3/assets/${id}/capture/`],
      ...[`/v3/edge-apps/${id}/deploy`, `/v3/edge-apps/${id}/deploy/preview/`],
      `${linkPaths.apps}/${id}`,
    ]),
    ...Object.values(linkPaths),
  ];
}

/** One of each kind. */
async function furnished(client: ClientV3) {
  const player = await claimedPlayer(client);
  const [app] = await client.add("/v4/edge-apps", { name: "App" });
  const [asset] = await client.add("/v4/assets", { title: "A" });
  const group = await client.make("/groups/", { name: "G" });
  const playlist = await client.make("/playlists/", { title: "P" });
  const rule = await client.make("/alerts/rules/", {
    ...{ name: "R", states: ["never-seen"], after_seconds: 0 },
  });
  const assertion = await client.make("/assertions/", {
    ...{ name: "N", kind: "never", assets: [{ id: asset?.id }] },
  });
  const known = [
    assertion.id as string,
    ...[player.screenId, app?.id ?? "", asset?.id ?? ""],
    ...[group.id as string, playlist.id as string, rule.id as string],
  ];
  return { player, known };
}

eachV3((service) => {
  it("[V3-4] answers any input in JSON, below 500", async () => {
    const client = await service.client();
    const { player, known } = await furnished(client);
    const request = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      path: fc.constantFrom(...pathsOf(known)),
      query: fc.oneof(
        fc.constant(""),
        fc
          .tuple(
            fc.constantFrom("limit", "start", "lat", "screen_id", "wait"),
            fc.constantFrom("1", "-1", "x", "%00", "%ff", "1e9", ""),
          )
          .map(([name, text]) => `?${name}=${text}&`),
      ),
      type: anyType,
      body: anyBody,
    });
    await assertEnded(
      fc.asyncProperty(request, async ({ method, path, query, type, body }) => {
        const isRead = method === "GET";
        // No request waits for news here.
        const isLink = path.startsWith("/link");
        const answer = await client.call(
          method,
          path + (isLink ? "" : query),
          isRead ? undefined : body,
          {
            ...(isRead ? {} : { "Content-Type": type }),
            ...(isLink && { Authorization: `Bearer ${player.credential}` }),
          },
        );
        expect([answer.text.slice(0, 200), answer.status < 500]).toEqual([
          ...[answer.text.slice(0, 200), true],
        ]);
        if (answer.text !== "")
          expect(answer.json ?? answer.text).toBeTypeOf("object");
      }),
      runSettings,
    );
  });
});
