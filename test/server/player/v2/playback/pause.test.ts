// Pause, blank and drill: manual control of the screen by the operator.

import { describe, expect, it } from "vitest";
import type { NowV2 } from "../../../../../server/contract/v2/v2-screen.ts";
import { flushPromises } from "../../../../support/clock.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

async function playing(...names: string[]): Promise<RunningPlayer> {
  const running = await startPlayer();
  for (const name of names) await running.add({ name, duration: 10 });
  await flushPromises();
  return running;
}
const nowOf = async ({ send }: RunningPlayer): Promise<NowV2> =>
  (await send("GET", "/now", undefined)).body as NowV2;

describe("[V2-291] a pause", () => {
  it("keeps the visible showing when its duration is over, and advances when it ends", async () => {
    const running = await playing("A", "B");
    const begun = await running.send("POST", "/pause", { seconds: 600 });
    expect(begun.status).toBe(201);
    await running.clock.advance(60_000);
    expect((await nowOf(running)).showing?.name).toBe("A");
    expect((await nowOf(running)).paused_until).toBe(begun.body.paused_until);
    await running.request("/pause", { method: "DELETE" });
    await flushPromises();
    expect((await nowOf(running)).showing?.name).toBe("B");
    expect((await nowOf(running)).paused_until).toBeNull();
    await running.clock.advance(10_000);
    expect((await nowOf(running)).showing?.name).toBe("A");
  });

  it("still follows a skip, a deletion and a takeover", async () => {
    const running = await playing("A", "B", "C");
    await running.send("POST", "/pause", {});
    await running.request("/assets/control/next");
    await flushPromises();
    expect((await nowOf(running)).showing?.name).toBe("B");
    await running.clock.advance(30_000);
    const [, b] = await running.list();
    await running.request(`/assets/${b?.asset_id}`, { method: "DELETE" });
    await flushPromises();
    expect((await nowOf(running)).showing?.name).not.toBe("B");
    await running.send("POST", "/takeover", { text: "Out", seconds: 5 });
    await flushPromises();
    expect((await nowOf(running)).showing?.kind).toBe("text");
    await running.clock.advance(6000);
    expect((await nowOf(running)).showing?.kind).not.toBe("text");
  });

  it("that was forgotten ends by itself after an hour", async () => {
    const running = await playing("A", "B");
    await running.send("POST", "/pause", {});
    await running.clock.advance(3_600_000);
    expect((await nowOf(running)).showing?.name).toBe("B");
    expect((await nowOf(running)).paused_until).toBeNull();
  });

  it("of an invalid length is rejected by its field", async () => {
    const running = await playing();
    for (const seconds of [0, 90_000, "soon"]) {
      const errorResponse = await running.send("POST", "/pause", { seconds });
      expect([errorResponse.status, Object.keys(errorResponse.body)]).toEqual([
        ...[400, ["seconds"]],
      ]);
    }
  });
});

describe("[V2-293] a blank takeover and a drill", () => {
  it("hides the lineup behind a blank background until it is stopped", async () => {
    const running = await playing("A");
    const begun = await running.send("POST", "/takeover", { blank: true });
    expect([begun.status, begun.body.blank]).toEqual([201, true]);
    await flushPromises();
    expect(running.stage.visible()?.content).toEqual({
      ...{ kind: "text", text: "" },
    });
    await running.request("/takeover", { method: "DELETE" });
    await flushPromises();
    expect((await nowOf(running)).showing?.name).toBe("A");
    const both = { blank: true, text: "Out" };
    expect((await running.send("POST", "/takeover", both)).status).toBe(400);
    const no = await running.send("POST", "/takeover", { blank: false });
    expect(no.status).toBe(400);
  });

  it("ends a drill after a minute, and reports it as one", async () => {
    const running = await playing("A");
    const drill = { text: "Drill", seconds: 3600, is_drill: true };
    const begun = await running.send("POST", "/takeover", drill);
    expect(begun.body.is_drill).toBe(true);
    await flushPromises();
    await running.clock.advance(60_000);
    expect((await nowOf(running)).showing?.name).toBe("A");
    const reported = await running.send(
      ...(["GET", "/activity?kind=takeover", undefined] as const),
    );
    expect(
      reported.body.map(({ action }: { action: string }) => action),
    ).toEqual([...["ended", "drill"]]);
  });
});

describe("[V2-292] message presets", () => {
  it("are stored as written, and rejected where one is not a valid takeover", async () => {
    const { send } = await playing();
    const messages = [
      { id: "1", name: "Fire", text: "Leave by the stairs", seconds: null },
      { id: "2", name: "Closed", url: "https://example.org/", seconds: 600 },
    ];
    const kept = await send("PATCH", "/device_settings", {
      takeover_messages: messages,
    });
    expect(kept.status).toBe(200);
    const { body } = await send("GET", "/device_settings", undefined);
    expect(body.takeover_messages).toEqual(messages);
    const errorResponse = await send("PATCH", "/device_settings", {
      takeover_messages: [...messages, { id: "3", name: "Empty" }],
    });
    expect([errorResponse.status, errorResponse.body]).toEqual([
      400,
      {
        takeover_messages: [
          "takeover_messages[2] must have an id, a name, seconds, and exactly one of text, asset_id and url",
        ],
      },
    ]);
  });
});
