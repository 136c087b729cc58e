// API v2: sync status, connections, and progress in the event stream.

import { describe, expect, it } from "vitest";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../../support/faulty-service/faulty-service.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";
import { startSync } from "../../../../support/sync/start-sync.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";

describe("[V2-205] sync", () => {
  it("is 503 where the player was started without one", async () => {
    const { request, send } = await startPlayer();
    expect((await request("/sync")).status).toBe(503);
    expect((await send("POST", "/sync/run", {})).status).toBe(503);
    expect((await request("/sync/accounts")).status).toBe(503);
  });

  it("reports the state of every connection, and polls on request", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const { request, send, until } = await startSync();
    const created = await send("POST", "/sync/accounts", {
      ...{ base_url: cloud.address, token: "t", labels: "a, b" },
      ...{ poll_seconds: 3600, apply_at: "04:30" },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ labels: ["a", "b"], apply_at: "04:30:00", mode: "now" },
        ...{ name: `127.0.0.1:${cloud.port}`, token_storage: "file" },
      },
    });
    expect(created.body).not.toHaveProperty("token");
    await until(({ isInSync }) => isInSync === true);
    const { accounts } = (await (await request("/sync")).json()) as {
      accounts: unknown[];
    };
    expect(accounts).toMatchObject([
      {
        ...{ phase: "idle", version: "v4.1", in_sync: true, assets: 1 },
        ...{ problem: null, hold: null, applied_plans: [{ is_current: true }] },
        failures: [{ name: "a" }, { name: "b" }],
      },
    ]);
    cloud.playlists = [
      { id: "P1", assets: [cloudImage("red"), cloudImage("green")] },
    ];
    const id = created.body.account_id as string;
    const reported = await send("POST", "/sync/run", { account_id: id });
    expect(reported.status).toBe(202);
    await until(({ assets }) => assets === 2);
    expect(
      (await send("POST", "/sync/run", { account_id: "00000000" })).status,
    ).toBe(404);
  });
});

describe("the activity log", () => {
  it("[V2-381] records that a connection was added, what it brought, and that it was removed", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const { request, connect, until, sync } = await startSync();
    const reported = async () => {
      const answer = await request("/activity?kind=sync");
      const events = (await answer.json()) as {
        action: string;
        name: string;
      }[];
      return events.map(({ action, name }) => `${action} ${name}`);
    };
    const id = await connect({ baseUrl: cloud.address, name: "Shop" });
    await until(({ isInSync }) => isInSync === true);
    await expect
      .poll(reported, pollOptions)
      .toEqual(["applied Shop", "added Shop"]);
    await sync.removeConnection(id, false);
    await expect.poll(reported, pollOptions).toContain("removed Shop");
  });
});

describe("[V2-210] the event sync", () => {
  it("reports every phase, and the progress of files", async () => {
    const cloud = await serveFaultyCloud();
    const large = cloudImage("large", [1, 1, 1], 600_000);
    cloud.playlists = [{ id: "P1", assets: [large] }];
    const { request, connect } = await startSync();
    const answer = await request("/events");
    const phases: string[] = [];
    let most = 0;
    const reading = (async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        for (;;) {
          const end = text.indexOf("\n\n");
          if (end < 0) break;
          const lines = text.slice(0, end);
          text = text.slice(end + 2);
          if (!lines.startsWith("event: sync")) continue;
          const data = /^data: (.*)$/m.exec(lines)?.[1] ?? "{}";
          const reported = JSON.parse(data) as {
            phase: string;
            received_bytes: number;
            files_total: number;
          };
          if (phases.at(-1) !== reported.phase) phases.push(reported.phase);
          most = Math.max(most, reported.received_bytes);
          if (phases.includes("applying") && reported.phase === "idle") return;
        }
      }
    })();
    await connect({ baseUrl: cloud.address, rateLimit: 400_000 });
    await reading;
    expect(phases).toEqual(
      expect.arrayContaining(["polling", "downloading", "applying", "idle"]),
    );
    expect(most).toBeGreaterThan(0);
  });
});
