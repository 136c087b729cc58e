// Planning of a large screen in slices: the work per slice, counted instead of timed.

import { describe, expect, it } from "vitest";
import { progressSliced } from "../../../server/core/sync-connection/plan-progress.ts";
import {
  inOneGo,
  itemsPerSlice,
  type Sliced,
} from "../../../server/core/slices.ts";
import type { DesiredContent } from "../../../server/core/sync-plan/desired-content.ts";
import {
  asset,
  emptyHanded,
  playlist,
  synced,
} from "../../support/sync/sync-plans.ts";

const count = 10_000;
const itemsPerList = 100;
const idOf = (number: number): string => `a${String(number).padStart(5, "0")}`;
const md5Of = (number: number): string => String(number).padStart(32, "0");

/** Counts reads of an identifier: no work on an asset or playlist goes without one. */
let readings = 0;

function counted<T extends { readonly remoteId: string }>(one: T): T {
  const { remoteId } = one;
  return Object.defineProperty({ ...one }, "remoteId", {
    enumerable: true,
    get: () => {
      readings += 1;
      return remoteId;
    },
  });
}

function contentOf(title: string): DesiredContent {
  return {
    assets: Array.from({ length: count }, (_, number) =>
      counted(asset(idOf(number), { name: title }, md5Of(number))),
    ),
    playlists: Array.from({ length: count / itemsPerList }, (_, list) =>
      counted(
        playlist(
          `p${String(list).padStart(3, "0")}`,
          Array.from({ length: itemsPerList }, (_item, place) =>
            idOf(list * itemsPerList + place),
          ),
        ),
      ),
    ),
  };
}

/** The most reads in one slice. */
function maxValueOf<T>(work: Sliced<T>): {
  readonly most: number;
  readonly value: T;
} {
  for (let most = 0; ;) {
    readings = 0;
    const step = work.next();
    most = Math.max(most, readings);
    if (step.done) return { most, value: step.value };
  }
}

const nothing = { assets: [], playlists: [] };
const all = Array.from({ length: count }, (_, number) => md5Of(number));
const before = contentOf("Same");
const held = synced(before, { ...emptyHanded, files: new Set(all) });

describe("[V2-621] planning 10,000 assets", () => {
  it.each([
    ["none of which is stored", contentOf("Same"), emptyHanded, nothing],
    [
      "half of which is stored",
      contentOf("Same"),
      { ...emptyHanded, files: new Set(all.slice(0, count / 2)) },
      nothing,
    ],
    ["all of which is applied", contentOf("Same"), held, before],
    ["all of which has another title", contentOf("Other"), held, before],
    ["all of which is removed", nothing, held, before],
  ])(
    "%s handles a few hundred of them at a time",
    (_what, content, here, current) => {
      const state = {
        ...{ content, sources: new Map(), secrets: new Map() },
        ...{ itemFailures: [], unreadable: new Set<string>() },
      };
      const steps = () =>
        progressSliced(
          "target",
          state,
          { current, before: current },
          here,
          () => false,
        );
      const { most, value } = maxValueOf(steps());
      expect(most).toBeLessThan(4 * itemsPerSlice);
      expect(value).toEqual(inOneGo(steps()));
    },
  );
});
