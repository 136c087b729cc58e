// Event stream: which events, in which order, to whom, and what a client that reconnects has missed.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../../support/clock.ts";
import {
  readEvents,
  type EventReader,
} from "../../../../support/http/event-reader.ts";
import { openConnection } from "../../../../support/http/raw-request.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

const listen = (
  { request }: RunningPlayer,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> => readEvents(request("/events", { headers }));

async function names(reader: EventReader, count: number) {
  const events = [];
  for (let left = count; left > 0; left -= 1) events.push(await reader.next());
  return events.map((event) => event?.event);
}

describe("events", () => {
  it("[V2-75] begin with what is on the screen, and report changes as they happen", async () => {
    const running = await startPlayer();
    await flushPromises();
    const reader = await listen(running);
    expect(reader.headers.get("content-type")).toBe("text/event-stream");
    expect(await reader.next()).toMatchObject({
      event: "showing",
      data: { showing: { kind: "card" } },
    });
    await running.add({ name: "A" });
    const seen = [
      await reader.next(),
      await reader.next(),
      await reader.next(),
    ];
    expect(seen.map((event) => event?.event).sort()).toEqual([
      "changed",
      "progress",
      "showing",
    ]);
    expect(
      seen.find((event) => event?.event === "showing")?.data,
    ).toMatchObject({
      showing: { name: "A", reason: "schedule" },
      next: { name: "A" },
    });
    await running.send("PATCH", "/device_settings", { default_duration: 7 });
    expect(await reader.next()).toMatchObject({
      event: "changed",
      data: { resource: "settings" },
    });
  });

  it("[V2-441] report tokens and backups created and deleted", async () => {
    const { player, send, ...running } = await startPlayer();
    const received: unknown[] = [];
    player.onPlayerEvent((playerEvent) => {
      if (playerEvent.name === "changed")
        received.push(playerEvent.value.resource);
    });
    const created = await send("POST", "/tokens", { name: "Script" });
    expect(received).toEqual(["tokens"]);
    await running.request(`/tokens/${created.body.id}`, { method: "DELETE" });
    expect(received).toEqual(["tokens", "tokens"]);
    const archive = await send("POST", "/backup", undefined);
    expect(received.at(-1)).toBe("backups");
    await running.request(`/backups/${archive.body}`, { method: "DELETE" });
    expect(received).toEqual(["tokens", "tokens", "backups", "backups"]);
  });

  it("[V2-75] report what could not be shown, and why", async () => {
    const running = await startPlayer();
    const reader = await listen(running);
    running.stage.fail("Torn", "its image is torn");
    const { asset_id: id } = await running.add({ name: "Torn" });
    expect(await reader.nextOf("fault")).toEqual({
      asset_id: id,
      name: "Torn",
      reason: "its image is torn",
      time: "2026-01-01T00:00:00Z",
    });
  });

  it("[V2-75] report upload progress, without an id", async () => {
    const running = await startPlayer();
    await flushPromises();
    const reader = await listen(running);
    await reader.next();
    const { body } = await running.upload(Buffer.alloc(100_000));
    expect(body).toHaveProperty("file_upload");
    expect(await reader.next()).toMatchObject({
      event: "progress",
      id: undefined,
      data: { upload: 1, is_done: true },
    });
  });

  it("[V2-76] replay what came after Last-Event-ID, and nothing twice", async () => {
    const running = await startPlayer();
    await flushPromises();
    const first = await listen(running);
    const { id = "" } = (await first.next()) ?? {};
    await first.close();
    await running.send("PATCH", "/device_settings", { default_duration: 7 });
    await running.send("PATCH", "/device_settings", { default_duration: 8 });
    const second = await listen(running, { "Last-Event-ID": id });
    expect(await names(second, 2)).toEqual(["changed", "changed"]);
    await running.send("PATCH", "/device_settings", { player_name: "B" });
    expect(await names(second, 2)).toEqual(["changed", "showing"]);
  });

  it.each(["", "nonsense", "other-1", "-5"])(
    "[V2-76] request a full reload when the id %j is not known",
    async (id) => {
      const running = await startPlayer();
      await flushPromises();
      const reader = await listen(running, { "Last-Event-ID": id });
      expect(await names(reader, 2)).toEqual(["changed", "showing"]);
    },
  );

  it("[V2-76] request a full reload when too much was missed", async () => {
    const running = await startPlayer();
    await flushPromises();
    const { id = "" } = (await (await listen(running)).next()) ?? {};
    for (let count = 1; count <= 257; count += 1)
      await running.send("PATCH", "/device_settings", {
        default_duration: count,
      });
    const reader = await listen(running, { "Last-Event-ID": id });
    expect(await names(reader, 2)).toEqual(["changed", "showing"]);
  });

  it("[V2-75] report a hundred changes in a row as two", async () => {
    const running = await startPlayer();
    const { asset_id: id } = await running.add();
    await running.clock.advance(1_000);
    const reader = await listen(running);
    await reader.next();
    for (let count = 0; count < 100; count += 1)
      await running.send("PATCH", `/assets/${id}`, { nocache: count % 2 });
    await running.clock.advance(1_000);
    await running.send("PATCH", "/device_settings", { default_duration: 7 });
    const seen = [
      await reader.next(),
      await reader.next(),
      await reader.next(),
    ];
    expect(seen.map((event) => event?.data.resource)).toEqual([
      "assets",
      "assets",
      "settings",
    ]);
  });

  it("[V2-77] send a keep-alive every fifteen seconds", async () => {
    const running = await startPlayer();
    const reader = await listen(running);
    await reader.next();
    await running.clock.advance(15_000);
    expect(await reader.nextBlock()).toMatch(/^:/);
  });

  it("[V2-77] end when the token of the stream is revoked", async () => {
    const running = await startPlayer();
    const { body } = await running.send("POST", "/tokens", { name: "desk" });
    await running.send("PATCH", "/device_settings", {
      api_token_required: true,
    });
    const headers = { Authorization: `Bearer ${body.token}` };
    await running.request("/tokens", {
      method: "POST",
      headers,
      body: new URLSearchParams({ name: "other" }),
    });
    const reader = await listen(running, headers);
    await reader.next();
    await running.request(`/tokens/${body.id}`, { method: "DELETE", headers });
    // Its own revocation is the last event it receives (V2-441).
    expect(await reader.next()).toMatchObject({ data: { resource: "tokens" } });
    await running.clock.advance(15_000);
    expect(await reader.next()).toBeNull();
  });

  it("[V2-78] are limited to sixty-four streams", async () => {
    const running = await startPlayer();
    const readers = await Promise.all(
      Array.from({ length: 64 }, () => listen(running)),
    );
    const errorResponse = await running.request("/events");
    expect([
      errorResponse.status,
      errorResponse.headers.get("retry-after"),
    ]).toEqual([503, "5"]);
    await readers[0]?.close();
    while (
      (await running.request("/events", { method: "HEAD" })).status === 503
    )
      await flushPromises();
  });

  it("[V2-78] disconnect a client that does not read, and continue for the others", async () => {
    const running = await startPlayer();
    await flushPromises();
    const sleeper = await openConnection(
      running.player.apiAddress,
      "GET /api/v2/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
    );
    sleeper.pause();
    const reader = await listen(running);
    await reader.next();
    // Long enough that the buffers of the system are full before ours.
    const long = "x".repeat(10_000);
    const clients = async () =>
      /vitrine_event_clients (\d+)/.exec(
        await (await running.request("/metrics")).text(),
      )?.[1];
    await expect.poll(clients).toBe("2");
    for (let count = 0; (await clients()) === "2";) {
      for (const end = count + 20; count < end; count += 1) {
        running.stage.failVisible(`${count}${long}`);
        await flushPromises();
      }
      expect(count).toBeLessThan(5_000);
    }
    // A showing that fails is no longer reported as verified first (V2-727).
    expect((await reader.next())?.event).toBe("showing");
    expect((await reader.next())?.event).toBe("fault");
  });
});
