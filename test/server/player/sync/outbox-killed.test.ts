// A player killed at each request of one change in turn: the change continues, and never conflicts with itself.

import { describe, expect, it, vi } from "vitest";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import type { Row } from "../../../support/content/start-content.ts";
import {
  connect,
  kept,
  pollOptions,
  upOf,
} from "../../../support/sync/outbox.ts";

const startService = oneService();

describe.each(["v4.1", "v3"] as const)("through version %s", (version) => {
  it.each(["lost", "unheard"] as const)(
    "[V2-313] [V2-349] a change of items and labels is applied once, whichever of its requests is %s and the player killed with it",
    async (delivery) => {
      const service = await startService();
      const { v3 } = service;
      const assets: string[] = [];
      for (const title of ["One", "Two", "Three"]) {
        const bytes = png([title.length, 1, 2]);
        const answer = await service.upload(bytes, { title });
        assets.push(...((await answer.json()) as Row[]).map(({ id }) => id));
      }
      const labels: string[] = [];
      for (const name of ["Lobby", "Hall", "Door"])
        labels.push(((await v3.make("/groups/", { name })) as Row).id);
      const itemsOf = (ids: readonly string[]) =>
        ids.map((asset_id) => ({ asset_id, duration: 5 }));
      const path = await openFaultyPath(service.address);
      let isOver = false;
      for (let at = 1; !isOver; at += 1) {
        const [one = "", two = "", three = ""] = assets;
        const { id } = (await v3.make("/playlists/", {
          ...{ title: `Shop ${at}`, predicate: "TRUE" },
          assets: [one, two].map((asset) => ({ id: asset, duration: 5 })),
          groups: [{ id: labels[0] }],
        })) as Row;
        const dataDir = await temporaryFolder();
        const first = await startFullSync({ player: { dataDir } });
        const up = await connect(first, service, path.address, version);
        const { rows } = await up.read("playlists");
        const base = rows.find((row) => row.id === id);
        let writings = 0;
        path.decide(({ method }) => {
          if (method === "GET") return writings < at ? "arrives" : "lost";
          writings += 1;
          return writings < at
            ? "arrives"
            : writings === at
              ? delivery
              : "lost";
        });
        await up.add({
          ...{ collection: "playlists", action: "change", id, base },
          fields: {
            title: `Store ${at}`,
            items: itemsOf([three, two, one, three]),
            labels: labels.slice(1),
          },
        });
        await vi.waitUntil(async () => {
          const [change] = await up.changes();
          isOver = change?.state === "done";
          return isOver || writings >= at;
        }, pollOptions);
        await first.stopAll();
        path.decide(() => "arrives");
        const again = await startFullSync({ player: { dataDir } });
        expect([at, await upOf(again, up.connectionId).rest()]).toMatchObject([
          at,
          [{ state: "done", reason: null, conflicts: [] }],
        ]);
        await again.stopAll();
        const { playlists } = await kept(service);
        expect(playlists).toContainEqual(
          expect.objectContaining({
            ...{ id, title: `Store ${at}` },
            assets: [three, two, one, three].map((asset) => ({
              ...{ id: asset, duration: 5 },
            })),
          }),
        );
      }
    },
  );
});
