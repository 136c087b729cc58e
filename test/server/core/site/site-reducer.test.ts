// What a player of a site is charged with, event by event.

import { describe, expect, it } from "vitest";
import {
  reduceSite,
  type SiteEffect,
  type SiteEvent,
} from "../../../../server/core/site/site-reducer.ts";
import {
  newSite,
  siteLimits,
  type FileReport,
  type SiteFile,
} from "../../../../server/core/site/site-state.ts";

const md5 = "0".repeat(32);
const mebibyte = 1024 * 1024;

/** A player that wants a file, and others that it has found, each at an address of its own. */
function siteWith(peers: readonly string[]) {
  let site = newSite("self");
  let now = 0;
  const effects: SiteEffect[] = [];
  const dispatch = (event: SiteEvent, laterMs = 0): void => {
    now += laterMs;
    const step = reduceSite(site, event, now);
    site = step.site;
    effects.push(...step.effects);
  };
  for (const peer of peers) dispatch({ kind: "found", peer, address: peer });
  dispatch({ kind: "wanted", md5, bytes: 0 });
  return {
    dispatch,
    report: (peer: string, report: FileReport | null, laterMs = 0): void =>
      dispatch(
        {
          ...{ kind: "answered", peer, queriedAt: site.sequence },
          reports: new Map([[md5, report]]),
        },
        laterMs,
      ),
    file: (): SiteFile | undefined => site.files.get(md5),
    strikes: (peer: string): number => site.suspects.get(peer)?.strikes ?? 0,
    last: (): SiteEffect | undefined => effects.at(-1),
  };
}

const here: FileReport = { stage: "here", bytes: mebibyte };

describe("a player of a site", () => {
  it.each(["ended", "died"] as const)(
    "[V2-825] isn't charged with wrong bytes when its transfer %s before the first one, and the one that sent them is",
    (reason) => {
      const { dispatch, report, strikes, last } = siteWith(["idle", "liar"]);
      report("idle", here);
      expect(last()).toEqual({ kind: "follow", md5, peer: "idle" });
      dispatch({ kind: "began", md5 });
      dispatch({ kind: "follow-ended", md5, reason });
      report("liar", here);
      expect(last()).toEqual({ kind: "follow", md5, peer: "liar" });
      dispatch({ kind: "began", md5 });
      dispatch({ kind: "gave", md5 });
      dispatch({ kind: "received", md5, bytes: mebibyte });
      dispatch({ kind: "mismatched", md5 });
      expect(strikes("idle")).toBe(0);
      // All of it came from this one.
      expect(strikes("liar")).toBe(siteLimits.strikes);
    },
  );

  it("[V2-825] is charged with wrong bytes that it sent before its transfer ended", () => {
    const { dispatch, report, strikes } = siteWith(["one", "two"]);
    for (const [peer, bytes] of [
      ["one", 1000],
      ["two", mebibyte],
    ] as const) {
      report(peer, here);
      dispatch({ kind: "began", md5 });
      dispatch({ kind: "gave", md5 });
      dispatch({ kind: "received", md5, bytes });
      if (peer === "one")
        dispatch({ kind: "follow-ended", md5, reason: "died" });
    }
    dispatch({ kind: "mismatched", md5 });
    expect([strikes("one"), strikes("two")]).toEqual([1, 1]);
  });

  it("[V2-826] is judged from the request on, and not once all bytes have arrived", () => {
    const { dispatch, report, file, strikes } = siteWith(["one"]);
    report("one", here);
    // This player reads what it has already.
    dispatch({ kind: "time-passed" }, 3 * siteLimits.judgeMs);
    expect(file()?.stage).toBe("following");
    dispatch({ kind: "requested", md5 });
    dispatch({ kind: "time-passed" }, siteLimits.judgeMs - 1);
    expect(file()?.stage).toBe("following");
    dispatch({ kind: "began", md5 });
    dispatch({ kind: "gave", md5 });
    dispatch({ kind: "time-passed" }, siteLimits.judgeMs - 1);
    expect(file()?.stage).toBe("following");
    dispatch({ kind: "received", md5, bytes: mebibyte });
    dispatch({ kind: "arrived", md5 });
    // Its disk takes its time.
    dispatch({ kind: "time-passed" }, 3 * siteLimits.judgeMs);
    expect(file()?.stage).toBe("following");
    expect(strikes("one")).toBe(0);
  });

  it.each<readonly [string, readonly ("requested" | "began")[]]>([
    ["the request", ["requested"]],
    ["its response", ["requested", "began"]],
  ])(
    "[V2-826] that sends nothing after %s is given up after ten seconds",
    (_title, kinds) => {
      const { dispatch, report, file, strikes } = siteWith(["one"]);
      report("one", here);
      for (const kind of kinds) dispatch({ kind, md5 });
      dispatch({ kind: "time-passed" }, siteLimits.judgeMs);
      expect(file()?.stage).not.toBe("following");
      expect(strikes("one")).toBe(1);
    },
  );

  it("[V2-819] that says twice that it doesn't have what it reports isn't asked for it again, and no time passes", () => {
    const { dispatch, report, file, strikes, last } = siteWith(["one"]);
    report("one", here);
    dispatch({ kind: "follow-ended", md5, reason: "refused" });
    expect(strikes("one")).toBe(0);
    report("one", here);
    expect(file()?.source).toBe("one");
    dispatch({ kind: "follow-ended", md5, reason: "refused" });
    expect(strikes("one")).toBe(1);
    expect(last()).toEqual({ kind: "fetch", md5 });
  });

  it("[V2-823] that no longer receives a file may say so as often as it likes", () => {
    const { dispatch, report, file, strikes } = siteWith(["one"]);
    for (let n = 0; n < 3; n += 1) {
      report("one", { stage: "fetching", bytes: 0 }, siteLimits.busyMs);
      expect(file()?.source).toBe("one");
      dispatch({ kind: "follow-ended", md5, reason: "refused" });
    }
    expect(strikes("one")).toBe(0);
  });
});

it("[V2-823] of players that want many files at the same moment, each is the first for some, and none for another's", () => {
  const players = ["a1", "b2", "c3"];
  const files = Array.from({ length: 60 }, (_, n) =>
    n.toString(16).padStart(2, "0").repeat(16),
  );
  const wanted: FileReport = { stage: "wanted", bytes: 0 };
  const claims = players.map((self) => {
    let site = newSite(self);
    const dispatch = (event: SiteEvent): void => {
      site = reduceSite(site, event, 0).site;
    };
    const others = players.filter((player) => player !== self);
    for (const peer of others) dispatch({ kind: "found", peer, address: peer });
    for (const file of files) dispatch({ kind: "wanted", md5: file, bytes: 0 });
    for (const peer of others)
      dispatch({
        ...{ kind: "answered", peer, queriedAt: site.sequence },
        reports: new Map(files.map((file) => [file, wanted])),
      });
    return files.filter((file) => site.files.get(file)?.stage !== "wanted");
  });
  expect(claims.flat().toSorted()).toEqual(files.toSorted());
  for (const claimed of claims) expect(claimed.length).toBeGreaterThan(5);
});
