// The director: what is on the screen, when, and what replaces a showing that fails.

import { describe, expect, it } from "vitest";
import { clip } from "../../../support/media/media.ts";
import { flushPromises } from "../../../support/clock.ts";
import {
  problemOf,
  startDirector,
  startDirectorWith,
} from "../../../support/player/start-director.ts";
import {
  answerOf,
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

async function withAssets(
  ...names: string[]
): Promise<RunningPlayer & { ids: Record<string, string> }> {
  const running = await startPlayer();
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = (await running.add({ name })).asset_id;
  await flushPromises();
  return { ...running, ids };
}

async function remove({ request }: RunningPlayer, id = ""): Promise<void> {
  await request(`/assets/${id}`, { method: "DELETE" });
}

const visible = ({ stage }: RunningPlayer): string | undefined =>
  stage.visible()?.name;

describe("the director", () => {
  it("shows the idle screen while nothing is due", async () => {
    const { stage, player } = await startPlayer();
    await flushPromises();
    expect(stage.visible()?.content).toMatchObject({
      kind: "card",
      idleScreen: { apiAddress: player.apiAddress },
    });
  });

  it("replaces the idle screen with the first asset at once", async () => {
    const running = await withAssets("A");
    expect(visible(running)).toBe("A");
  });

  it("plays in order, each for its duration, the next one prepared in advance", async () => {
    const running = await withAssets("A", "B", "C");
    expect(running.stage.prepared()?.name).toBe("B");
    await running.clock.advance(9_999);
    expect(visible(running)).toBe("A");
    await running.clock.advance(1);
    expect(visible(running)).toBe("B");
    await running.clock.advance(20_000);
    expect(running.stage.shown.slice(-4)).toEqual(["A", "B", "C", "A"]);
  });

  it("[V2-481] starts a fade from a looping clip before its duration ends, and a cut when it ends", async () => {
    const running = await startPlayer();
    const film = { mimetype: "video", duration: 20 };
    const bytes = await clip({ colour: [1, 2, 3], seconds: 1 });
    for (const name of ["A", "B"]) await running.add({ name, ...film }, bytes);
    await flushPromises();
    expect(visible(running)).toBe("A");
    await running.clock.advance(19_999);
    expect(visible(running)).toBe("A");
    await running.clock.advance(1);
    expect(visible(running)).toBe("B");

    await running.request("/device_settings", {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ transition: "cross-fade" }),
    });
    // The showing prepared before appears unchanged.
    await running.clock.advance(20_000);
    expect(visible(running)).toBe("A");
    await running.clock.advance(19_499);
    expect(visible(running)).toBe("A");
    await running.clock.advance(1);
    expect(visible(running)).toBe("B");
  });

  it("continues a single image without a swap", async () => {
    const running = await withAssets("A");
    const swaps = running.stage.shown.length;
    await running.clock.advance(60_000);
    expect(running.stage.shown.length).toBe(swaps);
    const { body } = await answerOf(await running.request("/now"));
    const until = Date.parse(body.showing.until as string);
    expect(until).toBe(running.clock.now() + 10_000);
  });

  it("skips forward and back on command, at once", async () => {
    const running = await withAssets("A", "B", "C");
    running.player.step("next");
    await flushPromises();
    expect(visible(running)).toBe("B");
    running.player.step("previous");
    await flushPromises();
    running.player.step("previous");
    await flushPromises();
    expect(visible(running)).toBe("C");
  });

  it("adds up skip commands that arrive faster than the screen swaps", async () => {
    const running = await withAssets("A", "B", "C", "D");
    for (let press = 0; press < 3; press += 1) running.player.step("next");
    await flushPromises();
    await flushPromises();
    expect(visible(running)).toBe("D");
  });

  it("[V2-709] shows what is due although commands arrive faster than anything is prepared", async () => {
    const running = await startDirector();
    const { director, stage, clock } = running;
    const endsAt = clock.now() + 2000;
    running.add("outdated", { endsAt });
    await flushPromises();
    expect(running.visible()).toBe("outdated");
    for (const name of ["A", "B", "C"]) {
      running.add(name);
      stage.stall(name);
    }
    let preparing = { id: "", sinceMs: 0 };
    for (let count = 0; count < 50; count += 1) {
      director.step("next");
      await clock.advance(100);
      const id = stage.prepared()?.id ?? "";
      if (id !== preparing.id) preparing = { id, sinceMs: clock.now() };
      else if (clock.now() - preparing.sinceMs >= 300) stage.ready();
      await flushPromises();
    }
    expect(running.visible()).not.toBe("outdated");
    expect(running.logged.map(({ event }) => event)).not.toContain(
      "showing.late",
    );
  });

  it("[V2-709] carries out the steps that had to wait, added up, and one press after the other at once", async () => {
    const running = await startDirector();
    const { director, stage, clock } = running;
    running.add("A");
    await flushPromises();
    stage.stall("B");
    for (const name of ["B", "C", "D", "E"]) running.add(name);
    await flushPromises();
    director.step("next");
    await clock.advance(1500);
    director.step("next");
    director.step("next");
    await flushPromises();
    expect(running.visible()).toBe("A");
    stage.ready();
    await flushPromises();
    await flushPromises();
    expect(stage.shown.slice(-2)).toEqual(["B", "D"]);
    director.step("next");
    await flushPromises();
    expect(running.visible()).toBe("E");
  });

  it("[V2-21] shows a named asset once and resumes where it was", async () => {
    const running = await withAssets("A", "B", "C");
    await running.request(`/assets/control/asset&${running.ids["C"]}`);
    await flushPromises();
    expect(visible(running)).toBe("C");
    await running.clock.advance(10_000);
    expect(visible(running)).toBe("B");
  });

  it("removes a disabled asset from the screen at once, not at the end of its duration", async () => {
    const running = await withAssets("A", "B");
    await running.send("PATCH", `/assets/${running.ids["A"]}`, {
      is_enabled: false,
    });
    await flushPromises();
    expect(visible(running)).toBe("B");
  });

  it("removes a deleted asset from the screen at once; after the last one shows the idle screen", async () => {
    const running = await withAssets("A", "B");
    await remove(running, running.ids["A"]);
    await flushPromises();
    expect(visible(running)).toBe("B");
    await remove(running, running.ids["B"]);
    await flushPromises();
    expect(running.stage.visible()?.content.kind).toBe("card");
  });

  it("compares a changed duration with the time already elapsed", async () => {
    const running = await withAssets("A", "B");
    await running.clock.advance(4_000);
    await running.send("PATCH", `/assets/${running.ids["A"]}`, { duration: 3 });
    await running.clock.advance(0);
    expect(visible(running)).toBe("B");
  });

  it("[V2-157] restarts a showing whose content changed, and ignores a new name", async () => {
    const running = await withAssets("A", "B");
    const { ids, stage } = running;
    await running.send("PATCH", `/assets/${ids["A"]}`, { name: "Renamed" });
    await flushPromises();
    expect(stage.shown.at(-1)).toBe("A");
    await running.send("PATCH", `/assets/${ids["A"]}`, { fit: "fill" });
    await running.clock.advance(0);
    expect(stage.shown.slice(-2)).toEqual(["A", "Renamed"]);
    expect(stage.visible()?.content).toMatchObject({ fit: "fill" });
  });

  it("starts and ends assets exactly at their dates", async () => {
    const running = await withAssets("A");
    const second = (after: number): string =>
      new Date(running.clock.now() + after).toISOString();
    await running.add({ name: "B", start_date: second(2_500) });
    await running.send("PATCH", `/assets/${running.ids["A"]}`, {
      end_date: second(2_500),
    });
    await flushPromises();
    await running.clock.advance(2_499);
    expect(visible(running)).toBe("A");
    await running.clock.advance(1);
    expect(visible(running)).toBe("B");
  });

  it("re-evaluates the schedule within a second when the wall clock jumps, without affecting durations", async () => {
    const running = await withAssets("A", "B");
    const end = new Date(running.clock.now() + 86_400_000).toISOString();
    await running.send("PATCH", `/assets/${running.ids["A"]}`, {
      end_date: end,
    });
    await flushPromises();
    running.clock.jumpTo(running.clock.now() + 2 * 86_400_000);
    await running.clock.advance(1_000);
    expect(visible(running)).toBe("B");
  });

  it("lets a video play to its own end", async () => {
    const running = await startPlayer();
    const bytes = await clip({ colour: [1, 2, 3], seconds: 1 });
    await running.add({ name: "V", mimetype: "video", duration: 0 }, bytes);
    await running.add({ name: "A" });
    await running.clock.advance(100_000);
    expect(visible(running)).toBe("V");
    running.stage.end();
    await flushPromises();
    expect(visible(running)).toBe("A");
  });
});

describe("when a showing fails, the director", () => {
  it("skips it, sets the reason on the asset and plays the rest", async () => {
    const running = await withAssets("A");
    running.stage.fail("B", "This image cannot be decoded.");
    const { asset_id: id } = await running.add({ name: "B" });
    await running.add({ name: "C" });
    await flushPromises();
    expect(running.stage.prepared()?.name).toBe("C");
    const { metadata } = await (await running.request(`/assets/${id}`)).json();
    expect(metadata.error_message).toBe("This image cannot be decoded.");
  });

  it("retries the asset after a minute and clears the reason when it can be shown", async () => {
    const running = await withAssets("A");
    running.stage.fail("B", "The page's server responded with status 503.");
    const { asset_id: id } = await running.add({ name: "B" });
    await flushPromises();
    running.stage.heal("B");
    await running.clock.advance(71_000);
    expect(running.stage.shown).toContain("B");
    const { metadata } = await (await running.request(`/assets/${id}`)).json();
    expect(metadata).toEqual({});
  });

  it("shows the idle screen when everything is broken, never nothing", async () => {
    const running = await startPlayer();
    running.stage.fail("A", "broken");
    await running.add({ name: "A" });
    await flushPromises();
    expect(running.stage.visible()?.content.kind).toBe("card");
  });

  it("keeps the current showing for three seconds when the next is late, then takes another", async () => {
    const running = await withAssets("A");
    running.stage.stall("B");
    await running.add({ name: "B" });
    await running.add({ name: "C" });
    await running.clock.advance(10_000);
    expect(visible(running)).toBe("A");
    await running.clock.advance(3_000);
    expect(visible(running)).toBe("C");
  });

  it("replaces a deleted asset with the idle screen when nothing else is ready in time", async () => {
    const running = await withAssets("A");
    running.stage.stall("B");
    await running.add({ name: "B" });
    await remove(running, running.ids["A"]);
    await running.clock.advance(3_000);
    expect(running.stage.visible()?.content.kind).toBe("card");
  });

  it("advances when a showing breaks while it is visible", async () => {
    const running = await withAssets("A", "B");
    running.stage.failVisible("The video stalled.");
    await flushPromises();
    await flushPromises();
    expect(visible(running)).toBe("B");
  });

  it("[V2-740] reports a page that can't be refreshed, which stays, once, until it can be", async () => {
    const running = await startDirectorWith("A");
    const { stage, faults } = running;
    for (let count = 0; count < 2; count += 1)
      stage.refresh("The page's server responded with status 500.");
    await flushPromises();
    const reason =
      "The page's server responded with status 500. The last copy that loaded stays on the screen.";
    expect(problemOf(running, "A")).toBe(reason);
    expect(faults.map((fault) => fault.reason)).toEqual([reason]);
    expect(running.visible()).toBe("A");
    stage.refresh(null);
    await flushPromises();
    expect(problemOf(running, "A")).toBeNull();
  });

  it("[V2-860] reports a copy that is too old already when it comes onto the screen: one fault, however often it is shown", async () => {
    const running = await startDirectorWith("A");
    const { stage, faults, clock } = running;
    const reason =
      "The page's server is gone. The last copy that loaded stays on the screen.";
    stage.age("B", "The page's server is gone.");
    running.add("B");
    await clock.advance(10_000);
    expect([running.visible(), problemOf(running, "B")]).toEqual(["B", reason]);
    await clock.advance(20_000);
    expect([running.visible(), problemOf(running, "B")]).toEqual(["B", reason]);
    expect(faults.map((fault) => fault.reason)).toEqual([reason]);
    stage.age("B", null);
    await clock.advance(20_000);
    expect([running.visible(), problemOf(running, "B")]).toEqual(["B", null]);
  });

  it("restores the same showing after the stage was lost", async () => {
    const running = await withAssets("A", "B");
    await running.clock.advance(10_000);
    expect(visible(running)).toBe("B");
    running.stage.restart();
    await flushPromises();
    expect(visible(running)).toBe("B");
    await running.clock.advance(10_000);
    expect(visible(running)).toBe("A");
  });
});
