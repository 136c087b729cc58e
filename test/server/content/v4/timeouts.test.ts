// Reads that would take hours: timed out on both databases, while other requests are served as usual.

import { expect, it } from "vitest";
import { createV4Router } from "../../../../server/content/v4/router.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { oneDatabase } from "../../../support/database/one-database.ts";
import { serveExpress } from "../../../support/http/serve-express.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";

const statementMs = 700;
const assets = 300;
/** Each asset with all of its group, each of them with all of it again, and once more. */
const endless = `/assets?select=id${",asset_groups(assets(id".repeat(3)}${"))".repeat(3)}`;

eachDatabase(({ kind }) => {
  it("[V4-47] times out a plain read that would never end, and serves others meanwhile", async () => {
    const open = await oneDatabase(kind);
    const patient = await serveV4({ kind, open: async () => open() });
    const [group] = await patient.make("/asset-groups", { title: "All" });
    const many = Array.from({ length: assets }, (_, at) => ({
      ...{ title: `Asset ${at}`, asset_group_id: group.id },
    }));
    const [first] = await patient.make("/assets", many);
    const makeId = (): string => makeUlid(0);
    const database = open({ statementMs });
    const url = await serveExpress(
      createV4Router({ database, now: Date.now, makeId }),
      () => patient.team,
    );
    const get = (path: string) => fetch(`${url}/v4.1${path}`);
    // Such a short timeout that a busy machine may need another try.
    const rows = async (path: string) => {
      const answer = await get(path);
      return answer.status === 503 ? null : answer.json();
    };
    const heavy = Promise.all(Array.from({ length: 4 }, () => get(endless)));
    await expect
      .poll(() => rows(`/assets?id=eq.${first.id}&select=title`))
      .toEqual([{ title: "Asset 0" }]);
    for (const answer of await heavy) {
      expect(await answer.json()).toMatchObject({ code: "57014" });
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([
        ...[503, "1"],
      ]);
    }
    await expect
      .poll(() => rows("/assets?title=like.*99&select=count"))
      .toEqual([{ count: 3 }]);
  });
});
