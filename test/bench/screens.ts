// The screens page with ten thousand screens of a real content service: first rows, scrolling while screens change, and filters.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright";
import type { Row } from "../../build/bench.ts";
import { openStore } from "../../server/content/store/open-store.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import { openSqliteDatabase } from "../../server/platform/sqlite/sqlite-database.ts";
import { openManager } from "../support/manager/manager-app.ts";
import { openScreen } from "../support/screen/screen.ts";
import { startService } from "./fleet/measured-process.ts";
import { benchKey } from "./fleet/team.ts";
import {
  filterClicks,
  frames,
  p95,
  searches,
  type FrameOptions,
} from "./manager/measures.ts";
import { addManyScreens, changeReports } from "./screens/many-screens.ts";

const screenCount = 10_000;
const goals = { firstRowsMs: 1000, frameMs: 16.7, filterMs: 100 };
/** As many as report another item in that time while all play. */
const changing = { screens: 100, everyMs: 500 };
const rounds = 4;

export async function* run(): AsyncGenerator<Row> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-screens-bench-"));
  const dataDir = path.join(dir, "service");
  await mkdir(dataDir);
  const store = await openStore({ dataDir, binding: undefined, log: null });
  const ids = await addManyScreens(store, screenCount);
  await store.close();
  const service = await startService({
    ...{ dataDir, databaseUrl: undefined, port: 0 },
  });
  const display = await openScreen(2100, 1000);
  const manager = await openManager({
    ...{ dir: path.join(dir, "player"), screen: display },
  });
  const database = openSqliteDatabase<ContentTables>(
    path.join(dataDir, "content.db"),
  );
  const stopped = new AbortController();
  try {
    const { page } = manager;
    await connect(page, service.address);
    yield* firstRows(page);
    const changes = keepChanging(database, ids, stopped.signal);
    yield* scrolling(page, "table");
    yield* filters(page);
    await page.getByRole("button", { name: "Show as tiles" }).click();
    yield* scrolling(page, "tiles");
    stopped.abort();
    await changes;
  } finally {
    stopped.abort();
    await manager.close();
    await display.close();
    await database.close();
    await service.kill();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function connect(page: Page, address: string): Promise<void> {
  await page.evaluate(
    (connection) =>
      window.manager.operate({
        operation: "createSyncAccount",
        body: { ...connection, name: "Bench", is_enabled: false },
      }),
    { base_url: address, token: benchKey },
  );
}

async function keepChanging(
  database: Parameters<typeof changeReports>[0],
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let round = 1; !signal.aborted; round += 1) {
    const from = (round * changing.screens) % ids.length;
    await changeReports(
      ...([database, ids.slice(from, from + changing.screens), round] as const),
    );
    await pause(changing.everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** From the click on the page to its first rows, with nothing known of the service; and to all of them. */
async function* firstRows(page: Page): AsyncGenerator<Row> {
  const times = await page.evaluate(async (count) => {
    const begun = performance.now();
    const until = async (isSo: () => boolean): Promise<number> => {
      while (!isSo())
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - begun;
    };
    location.hash = "#/screens";
    const first = await until(
      () => document.querySelector('[role="option"]') !== null,
    );
    const all = await until(
      () =>
        document
          .querySelector(".page-head > p")
          ?.textContent.replaceAll(/\D/g, "") === String(count),
    );
    return { first, all };
  }, screenCount);
  yield {
    ...row("first rows of 10,000 screens, nothing known yet", times.first),
    ...goal(times.first, goals.firstRowsMs),
  };
  yield row("all of them", times.all);
  const again: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.reload();
    await page.getByRole("option").first().waitFor();
    again.push(await page.evaluate(() => performance.now()));
  }
  yield {
    ...row("first rows after the window was loaded again", p95(again)),
    ...goal(p95(again), goals.firstRowsMs),
  };
}

async function* scrolling(
  page: Page,
  view: "table" | "tiles",
): AsyncGenerator<Row> {
  await page.getByRole("option").first().waitFor();
  const times = { work: [] as number[], empty: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const nothing: FrameOptions = { work: "nothing", ms: 1500 };
    const scroll: FrameOptions = { work: "scroll", ms: 2500 };
    await page.evaluate(setEmpty, true);
    times.empty.push(...(await page.evaluate(frames, nothing)));
    await page.evaluate(setEmpty, false);
    times.work.push(...(await page.evaluate(frames, scroll)));
  }
  const [value, empty] = [p95(times.work), p95(times.empty)];
  yield {
    ...row(`p95 of a frame, ${view} scrolled while screens change`, value),
    ...{ against: rounded(empty), ratio: value / empty },
    goal: `at most ${goals.frameMs} ms over an empty page`,
    met: value - empty <= goals.frameMs,
  };
}

/** Draws nothing of the manager. */
function setEmpty(isEmpty: boolean): void {
  document.body.style.opacity = isEmpty ? "0" : "";
}

async function* filters(page: Page): AsyncGenerator<Row> {
  const typed = await page.evaluate(searches, {
    searchTerms: ["lobby 45", "osaka 9", "porto 120"],
    fieldPlace: ".screens-bar input",
  });
  yield {
    ...row("p95 of a search, from key to rows", p95(typed)),
    ...goal(p95(typed), goals.filterMs),
  };
  const places = ["wrong", "right", "incomplete"].map(
    (state) => `.screen-count[data-state="${state}"]`,
  );
  const clicked: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    clicked.push(...(await page.evaluate(filterClicks, places)));
  yield {
    ...row("p95 of a filter by state, from click to rows", p95(clicked)),
    ...goal(p95(clicked), goals.filterMs),
  };
}

function row(figure: string, value: number): Row {
  return {
    ...{ figure, value: rounded(value), unit: "ms" },
    ...{ against: null, ratio: null, goal: null, met: null },
  };
}

function goal(value: number, most: number): Pick<Row, "goal" | "met"> {
  return { goal: `at most ${most} ms`, met: value <= most };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
