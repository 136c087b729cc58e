// Prometheus metrics: figures, and the bounded number of series.

import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../../support/clock.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

async function metricsOf({ request }: RunningPlayer): Promise<string> {
  const answer = await request("/metrics");
  expect(answer.headers.get("content-type")).toBe(
    "text/plain; version=0.0.4; charset=utf-8",
  );
  return answer.text();
}

const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
};

describe("metrics", () => {
  it("[V2-79] are text in the Prometheus format, line by line", async () => {
    const running = await startPlayer({ version: 'a"b\\c' });
    await running.add();
    const text = await metricsOf(running);
    const name = "[a-z_]+";
    const label = `${name}="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`;
    const form = new RegExp(
      `^(# HELP ${name} .+|# TYPE ${name} (counter|gauge|histogram)|${name}(\\{${label}(,${label})*\\})? [0-9.e+-]+)$`,
    );
    expect(text.endsWith("\n")).toBe(true);
    const lines = text.split("\n").filter((line) => line !== "");
    for (const line of lines) expect(line).toMatch(form);
    expect(valueOf(text, 'vitrine_info{version="a\\"b\\\\c"}')).toBe(1);
  });

  it("[V2-79] report the screen verdict, and whether a takeover is active", async () => {
    const running = await startPlayer();
    const values = async () => {
      const text = await metricsOf(running);
      const seen = (verdict: string) =>
        valueOf(text, `vitrine_screen{verdict="${verdict}"}`);
      return [valueOf(text, "vitrine_takeover"), seen("none"), seen("blank")];
    };
    await flushPromises();
    expect(await values()).toEqual([0, 1, 0]);
    await running.send("POST", "/takeover", { text: "Out" });
    await flushPromises();
    running.stage.see("blank", running.clock.now());
    expect(await values()).toEqual([1, 0, 1]);
  });

  it("[V2-79] count requests by route and not by path", async () => {
    const running = await startPlayer();
    for (let count = 0; count < 30; count += 1) {
      await running.request(`/assets/${count}`);
      await running.request(`/nothing/${count}`);
    }
    const text = await metricsOf(running);
    const by = (route: string) =>
      `{route="${route}",method="GET",status="4xx"}`;
    expect(
      valueOf(text, `vitrine_requests_total${by("/api/v2/assets/:id")}`),
    ).toBe(30);
    expect(valueOf(text, `vitrine_requests_total${by("none")}`)).toBe(30);
    expect(
      valueOf(
        text,
        'vitrine_request_duration_seconds_bucket{le="+Inf",route="none",method="GET"}',
      ),
    ).toBe(30);
  });

  it("[V2-79] count assets by state, swaps, how late they were, and faults", async () => {
    const running = await startPlayer();
    running.stage.fail("Torn", "its picture is torn");
    await running.add({ name: "A" });
    await running.add({ name: "B" });
    await running.add({ name: "off", is_enabled: false });
    await running.add({ name: "Torn" });
    await flushPromises();
    await running.clock.advance(40_000);
    const text = await metricsOf(running);
    const assets = (state: string) =>
      valueOf(text, `vitrine_assets{state="${state}"}`);
    expect(
      ["all", "enabled", "active", "processing", "troubled"].map(assets),
    ).toEqual([4, 3, 3, 0, 1]);
    expect(valueOf(text, "vitrine_swaps_total")).toBe(
      running.stage.shown.length,
    );
    expect(valueOf(text, "vitrine_faults_total")).toBe(1);
    expect(valueOf(text, "vitrine_swap_late_seconds_sum")).toBe(0);
    expect(valueOf(text, "vitrine_swap_late_seconds_count")).toBe(4);
  });
});
