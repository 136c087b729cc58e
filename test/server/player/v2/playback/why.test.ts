// why: what is due at any time, and the reason for every candidate.

import { describe, expect, it } from "vitest";
import type { WhyV2 } from "../../../../../server/contract/v2/v2-screen.ts";
import { flushPromises } from "../../../../support/clock.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

async function whyAt({ request }: RunningPlayer, at?: string): Promise<WhyV2> {
  const query = at === undefined ? "" : `?at=${encodeURIComponent(at)}`;
  const answer = await request(`/why${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return answer.json() as Promise<WhyV2>;
}

const reasons = ({ candidates }: WhyV2): Record<string, string> =>
  Object.fromEntries(candidates.map(({ name, reason }) => [name, reason]));

async function addPlaylist(
  { send, add }: RunningPlayer,
  name: string,
  overrides: Record<string, unknown> = {},
): Promise<void> {
  const { asset_id: id } = await add({
    ...{ name: `of ${name}`, playlist_only: true },
  });
  const { status } = await send("POST", "/playlists", {
    ...{ name, items: [{ asset_id: id, duration: 7 }], ...overrides },
  });
  expect(status).toBe(201);
}

describe("why", () => {
  it("[V2-145] returns the time zone, the due items in order, and until when", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", {
      ...{ timezone: "Europe/Berlin" },
    });
    await running.add({ name: "A", end_date: "2026-01-01T00:30:00Z" });
    await addPlaylist(running, "Menu");
    const why = await whyAt(running);
    expect(why).toMatchObject({
      ...{ time: "2026-01-01T00:00:00Z", timezone: "Europe/Berlin" },
      ...{ until: "2026-01-01T00:30:00Z", takeover: null },
      due: [
        { name: "A", playlist: null, duration: 10 },
        { name: "of Menu", playlist: { name: "Menu" }, duration: 7 },
      ],
    });
    const [first] = why.due;
    expect(first?.entry_id).toBe(first?.asset_id);
  });

  it("[V2-145] answers for any time, past or future, in any zone notation", async () => {
    const running = await startPlayer();
    await addPlaylist(running, "Lunch", {
      predicate: "$TIME >= 43200000 AND $TIME < 50400000",
    });
    await running.send("PATCH", "/device_settings", { timezone: "UTC" });
    const due = async (at: string): Promise<string[]> =>
      (await whyAt(running, at)).due.map(({ name }) => name);
    expect(await due("2026-07-01T11:59:59.999Z")).toEqual([]);
    expect(await due("2026-07-01T12:00:00Z")).toEqual(["of Lunch"]);
    expect(await due("2026-07-01T14:00:00+02:00")).toEqual(["of Lunch"]);
    expect(await due("2025-07-01")).toEqual([]);
    expect((await whyAt(running, "2029-12-31T13:00:00Z")).until).toBe(
      "2029-12-31T14:00:00Z",
    );
    // As it arrives when the client did not encode the plus.
    const raw = await running.request("/why?at=2026-07-01T14:00:00+02:00");
    expect(await raw.json()).toMatchObject({ time: "2026-07-01T12:00:00Z" });
  });

  it.each(["yesterday", "", "2026-13-01", "2026-02-30T00:00:00Z", "1e12"])(
    "[V2-145] rejects %j as a time, with a message on at",
    async (at) => {
      const { request } = await startPlayer();
      const answer = await request(`/why?at=${encodeURIComponent(at)}`);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          at: [
            `at must be a date and time such as 2026-01-31T09:30:00Z; got ${JSON.stringify(at)}`,
          ],
        },
      ]);
      expect((await request("/why?at=2026-01-01&at=2026-01-02")).status).toBe(
        400,
      );
    },
  );

  it("[V2-146] gives every candidate its reason, and explains it in a sentence", async () => {
    const running = await startPlayer();
    await running.send("PATCH", "/device_settings", { timezone: "UTC" });
    await running.add({ name: "local" });
    await running.add({ name: "off", is_enabled: false });
    await running.add({ name: "over", end_date: "2021-01-01" });
    running.stage.fail("broken", "It is no image.");
    await running.add({ name: "broken" });
    await addPlaylist(running, "Menu", { priority: 0 });
    await addPlaylist(running, "Night", { predicate: "$TIME >= 79200000" });
    await addPlaylist(running, "Elsewhere", { groups: ["stairs"] });
    await addPlaylist(running, "Paused", { is_enabled: false });
    await running.send("POST", "/playlists", { name: "Bare", items: [] });
    await flushPromises();
    await running.clock.advance(15_000);
    const why = await whyAt(running);
    expect(reasons(why)).toMatchObject({
      ...{ local: "plays", off: "disabled", over: "outside-dates" },
      ...{ broken: "quarantined", Menu: "plays", "of Menu": "plays" },
      ...{ Night: "predicate-false", Elsewhere: "other-groups" },
      ...{ Paused: "disabled", Bare: "playlist-empty" },
    });
    const reported = Object.fromEntries(
      why.candidates.map(({ name, explanation }) => [name, explanation]),
    );
    expect(reported).toMatchObject({
      over: "It plays from 2020-01-01T00:00:00Z until 2021-01-01T00:00:00Z.",
      Night: "Its schedule rule does not apply: $TIME >= 79200000",
      Elsewhere:
        "Only for screens in stairs, and this screen isn't one of them.",
      Bare: "It is empty.",
    });
    expect(reported["broken"]).toMatch(/^It failed to play\. Next try at/);
    await addPlaylist(running, "Alert", { priority: 9 });
    const alarmed = await whyAt(running);
    expect(reasons(alarmed)).toMatchObject({
      Menu: "outranked",
      Alert: "plays",
    });
    expect(
      alarmed.candidates.find(({ name }) => name === "Menu")?.explanation,
    ).toBe("Overridden by the playlist Alert, which has priority 9.");
  });

  it("[V2-145] names the takeover of that time, not of another", async () => {
    const running = await startPlayer();
    await running.send("POST", "/takeover", { text: "Out", seconds: 60 });
    const takeoverAt = async (at: string) =>
      (await whyAt(running, at)).takeover;
    expect(await takeoverAt("2025-12-31T23:59:59Z")).toBeNull();
    expect(await takeoverAt("2026-01-01T00:00:59Z")).toMatchObject({
      ...{ text: "Out", until: "2026-01-01T00:01:00Z" },
    });
    expect(await takeoverAt("2026-01-01T00:01:00Z")).toBeNull();
  });
});
