// Playback reports to the real service, with a gateway in between that answers in its place.

import { describe, expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import type {
  LinkRows,
  LoggedPlayback,
} from "../../../../server/player/sync/link-client/link-rows.ts";
import { sendPlaybacks } from "../../../../server/player/sync/link-client/playback-reports.ts";
import {
  createSend,
  type Send,
} from "../../../../server/player/sync/remote/send-http.ts";
import type { ClientV3 } from "../../../support/content/each-v3.ts";
import {
  openFaultyPath,
  type Delivery,
} from "../../../support/http/faulty-path.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { oneService } from "../../../support/content/one-service.ts";

const startService = oneService();
const json = (status: number, body: unknown): Delivery => ({
  ...{ status, type: "application/json" },
  body: JSON.stringify(body),
});
const moment = Date.parse("2026-05-01T10:00:00Z");

function playbacks(count: number): readonly LoggedPlayback[] {
  return Array.from({ length: count }, (_, place) => ({
    ...{ number: place + 1, id: `p${place + 1}`, assetId: `me-A${place}` },
    ...{ playlistId: null, startedAt: moment, endedAt: moment + 10_000 },
  }));
}

/** As the player stores them. */
function rowsOf(all: readonly LoggedPlayback[]): Pick<LinkRows, "playbacks"> {
  return {
    playbacks: (_connection, after, limit) => {
      const found = all.filter(({ number }) => number > after).slice(0, limit);
      const upTo = found.at(-1)?.number ?? after;
      return { playbacks: found, upTo, isAll: found.length < limit };
    },
  };
}

async function createReporter(v3: ClientV3, all: readonly LoggedPlayback[]) {
  const { credential, screenId } = await claimedPlayer(v3);
  const way = await openFaultyPath(v3.address);
  const toService = createSend(
    {
      ...{ baseUrl: way.address, isCertificateSkipped: false, proxyUrl: null },
      authorization: `Bearer ${credential}`,
    },
    Date.now,
    new AbortController().signal,
  );
  let sent = 0;
  const refused: number[] = [];
  const emit = (send: Send = toService): Promise<void> =>
    sendPlaybacks({
      ...{ connectionId: "me", rows: rowsOf(all), now: Date.now },
      ...{ send, log: createLog({ toStandardOutput: false }) },
      sent: () => sent,
      noteSent: (number) => (sent = number),
      refuse: ({ status }) => {
        refused.push(status);
        if (status === 410) throw new Error("Ended");
      },
    });
  const kept = async (): Promise<readonly string[]> =>
    (
      (await v3.get(`/playbacks?screen_id=${screenId}`)) as {
        asset_id: string;
      }[]
    )
      .map((row) => row.asset_id)
      .sort();
  return { way, emit, kept, toService, sent: () => sent, refused };
}

describe("playback reports to a service", () => {
  it.each<[string, Delivery]>([
    ["404", json(404, { detail: "Not Found" })],
    ["404 as a page", { status: 404, type: "text/html", body: "<html>" }],
    ["405", json(405, { message: "Method Not Allowed" })],
    ["400 in another format", json(400, { error: "Bad Request" })],
    ["400 without a body", { status: 400, type: "text/plain", body: "" }],
    ["200 in another format", json(200, { ok: true })],
  ])(
    "[V2-348] are kept and sent later when something in between answers %s",
    async (_, delivery) => {
      const { v3 } = await startService();
      const one = await createReporter(v3, playbacks(5));
      one.way.decide(() => delivery);
      await expect(one.emit()).rejects.toMatchObject({ name: "RemoteError" });
      expect([one.sent(), await one.kept()]).toEqual([0, []]);
      one.way.decide(() => "arrives");
      await one.emit();
      expect(one.sent()).toBe(5);
      expect(await one.kept()).toEqual(["A0", "A1", "A2", "A3", "A4"]);
    },
  );

  it("[V2-305] [V2-348] skip the entry that the service itself rejects, and no other", async () => {
    const { v3 } = await startService();
    const one = await createReporter(v3, playbacks(5));
    // What its schema accepts today, a future service may not.
    const spoilt: Send = (method, path, options) =>
      one.toService(method, path, {
        json: JSON.parse(
          JSON.stringify(options?.json).replace('"A3"', "3"),
        ) as unknown,
      });
    await one.emit(spoilt);
    expect(one.sent()).toBe(5);
    expect(await one.kept()).toEqual(["A0", "A1", "A2", "A4"]);
  });

  it("[V2-348] are sent in smaller batches through a gateway with a size limit, and a single entry is never skipped for that", async () => {
    const { v3 } = await startService();
    const one = await createReporter(v3, playbacks(9));
    one.way.decide(({ body }) =>
      body.length > 300 ? json(413, { detail: "Too large." }) : "arrives",
    );
    await one.emit();
    expect((await one.kept()).length).toBe(9);
    const other = await createReporter(v3, playbacks(1));
    other.way.decide(() => json(413, { detail: "Too large." }));
    await expect(other.emit()).rejects.toMatchObject({ name: "RemoteError" });
    expect(other.sent()).toBe(0);
  });

  it("[V2-307] end with the link where the service no longer knows the screen", async () => {
    const { v3 } = await startService();
    const one = await createReporter(v3, playbacks(1));
    one.way.decide(() => json(410, { detail: "Gone." }));
    await expect(one.emit()).rejects.toThrow("Ended");
    expect([one.sent(), one.refused]).toEqual([0, [410]]);
  });
});
