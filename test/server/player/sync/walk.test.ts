// The walk of a sync run: the files of the sync whose functions are entered from a poll to the library's change, as the guide draws it.

import { readFile } from "node:fs/promises";
import { Session, type Profiler } from "node:inspector";
import { expect, it } from "vitest";
import {
  both,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";

const guide = new URL(
  "../../../../build/guides/architecture.md",
  import.meta.url,
);
/** A reader keeps no more in mind. */
const mostFiles = 20;
/** Without the activity log, which looks at the status of all connections at most once a second. */
const own =
  /^(player\/sync\/(?!sync-activity)|core\/sync-|contract\/service-rows)/;

/** Counts the calls of this process from now on; returns the files of the server with a function that was called. */
function countCalls(): () => readonly string[] {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", {
    callCount: true,
    detailed: false,
  });
  const take = (): readonly Profiler.ScriptCoverage[] => {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error) throw error;
      taken = result;
    });
    return taken;
  };
  take();
  return () => {
    const called = take()
      .filter(({ functions }) => functions.some(isCalled))
      .map(({ url }) => url.split(/(?<!\/test)\/server\//))
      .flatMap((parts) => (parts.length > 1 ? (parts.at(-1) ?? []) : []));
    session.disconnect();
    return [...new Set(called)];
  };
}

/** Functions without a name are parts of others, or read what a module exports. */
function isCalled({
  functionName,
  ranges,
}: Profiler.FunctionCoverage): boolean {
  return functionName !== "" && ranges.some(({ count }) => count > 0);
}

async function drawnFiles(): Promise<readonly string[]> {
  const text = await readFile(guide, "utf8");
  const [, walk = ""] = text.split("**A sync run");
  const [steps = ""] = walk.split("Also involved");
  return [...steps.matchAll(/\]\(\.\.\/\.\.\/server\/([^)]+)\)/g)]
    .map(([, file = ""]) => file)
    .filter((file) => own.test(file));
}

it(`enters the files that the guide draws, at most ${mostFiles}, where a playlist gets another image`, async () => {
  let called: readonly string[] | null = null;
  let count: (() => readonly string[]) | null = null;
  const { cloud, syncNow } = await startConnectedPlayer(
    {},
    {
      breakLibrary: (library) => ({
        ...library,
        apply: (...of) => {
          // The library's change is announced before it returns.
          const applied = library.apply(...of);
          called ??= count?.() ?? null;
          return applied;
        },
      }),
    },
  );
  await syncNow();
  cloud.playlists = both;
  count = countCalls();
  expect(await syncNow()).toMatchObject({ isInSync: true });
  const files = (called ?? []).filter((file) => own.test(file)).toSorted();
  expect(files).toEqual([...new Set(await drawnFiles())].toSorted());
  expect(files.length).toBeLessThanOrEqual(mostFiles);
});
