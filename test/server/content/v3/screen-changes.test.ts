// The list of screens in parts, and then only what changed, over real sockets, on both databases.

import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { screenChangesV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  type ClaimedPlayer,
} from "../../../support/content/linked-player.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

type Changes = z.infer<typeof screenChangesV3>;

async function changesSince(
  client: ClientV3,
  since: string,
  limit = 1000,
): Promise<Changes> {
  const query = new URLSearchParams({ since, limit: String(limit) });
  return screenChangesV3.parse(
    await client.get(`/screens/states/?${query.toString()}`),
  );
}

/**
 * The revision from which on nothing is listed any more. PostgreSQL lists a change again while a transaction of another database is
 * open that began before it.
 */
async function settledRevision(client: ClientV3, from = ""): Promise<string> {
  let revision = from;
  await expect
    .poll(async () => {
      const changes = await changesSince(client, revision);
      ({ revision } = changes);
      return [...changes.screens, ...changes.removed];
    })
    .toEqual([]);
  return revision;
}

async function threeScreens(client: ClientV3) {
  const players: ClaimedPlayer[] = [];
  for (const name of ["A", "B", "C"])
    players.push(await claimedPlayer(client, name));
  const [a, b, c] = players as [ClaimedPlayer, ClaimedPlayer, ClaimedPlayer];
  await b.beat({ report: reportOf({ verdict: "blank" }) });
  await c.beat({ report: reportOf() });
  await settledRevision(client);
  return { a, b, c };
}

const names = ({ screens }: Changes) => screens.map(({ name }) => name);

eachV3((service) => {
  describe("changes of screens", () => {
    it("[V3-120] the whole list comes in parts, those that need somebody first, as they are without since", async () => {
      const client = await service.client();
      await threeScreens(client);
      const first = await changesSince(client, "", 2);
      expect(first).toMatchObject({ is_whole: true, is_complete: false });
      expect(names(first)).toEqual(["B", "A"]);
      const second = await changesSince(client, first.revision, 2);
      expect(second).toMatchObject({ is_whole: false, is_complete: true });
      expect(names(second)).toEqual(["C"]);
      const [a, b, c] = await client.get("/screens/states/");
      expect([...first.screens, ...second.screens]).toEqual([b, a, c]);
    });

    it("[V3-120] then only what changed is listed, and what was deleted", async () => {
      const client = await service.client();
      const { a, b, c } = await threeScreens(client);
      let revision = await settledRevision(client);
      const changed = async (): Promise<readonly string[]> => {
        const changes = await changesSince(client, revision);
        revision = await settledRevision(client, changes.revision);
        expect(changes).toMatchObject({ is_whole: false, is_complete: true });
        return [...names(changes), ...changes.removed];
      };
      await c.beat({ report: reportOf() });
      expect(await changed()).toEqual([]);
      await c.beat({ report: reportOf({ name: "Soup" }) });
      expect(await changed()).toEqual(["C"]);
      await client.call("PATCH", `/screens/${b.screenId}/`, { name: "Bar" });
      expect(await changed()).toEqual(["Bar"]);
      const group = await client.make("/groups/", {
        ...{ name: "Entry", screens: [{ id: a.screenId }] },
      });
      expect(await changed()).toEqual(["A"]);
      await client.call("PUT", `/groups/${group.id}/`, { name: "Door" });
      expect(await changed()).toEqual(["A"]);
      await client.call("DELETE", `/groups/${group.id}/`);
      expect(await changed()).toEqual(["A"]);
      await client.call("DELETE", `/screens/${a.screenId}/`);
      expect(await changed()).toEqual([a.screenId]);
      expect(await changed()).toEqual([]);
    });

    it("[V3-120] what changes while the parts are read is listed after them", async () => {
      const client = await service.client();
      const { b } = await threeScreens(client);
      const first = await changesSince(client, "", 1);
      expect(names(first)).toEqual(["B"]);
      await b.beat({ report: reportOf() });
      const seen: string[] = [];
      let { revision } = first;
      for (let part = 0; part < 3; part += 1) {
        const next = await changesSince(client, revision, 1);
        ({ revision } = next);
        seen.push(...names(next));
      }
      // It may come again with the parts themselves, since it is no longer wrong.
      expect(seen.slice(0, 2)).toEqual(["A", "B"]);
      expect(seen).toContain("C");
      const rest = await changesSince(client, revision);
      expect(names(rest)).toEqual(["B"]);
    });

    it("[V3-120] an unknown revision is answered with the whole list, an invalid query with 400", async () => {
      const client = await service.client();
      await threeScreens(client);
      const old = Buffer.from(JSON.stringify(["other", Date.now(), 7]));
      const aged = Buffer.from(JSON.stringify(["", 1, 7]));
      for (const since of [
        ...["nonsense", old.toString("base64url")],
        aged.toString("base64url"),
      ])
        expect(await changesSince(client, since)).toMatchObject({
          ...{ is_whole: true, is_complete: true },
        });
      for (const query of ["limit=0", "state=wrong", `screen=${"x"}`]) {
        const path = `/screens/states/?since=&${query}`;
        const answer = await client.call("GET", path);
        expect([answer.status, Object.keys(answer.json)]).toEqual([
          ...[400, [query.replace(/=.*/, "")]],
        ]);
      }
    });

    it("[V3-120] ?screen= returns only these screens", async () => {
      const client = await service.client();
      const { b } = await threeScreens(client);
      const path = `/screens/states/?screen=${b.screenId}&screen=unknown`;
      expect(await client.get(path)).toMatchObject([{ name: "B" }]);
    });
  });
});
