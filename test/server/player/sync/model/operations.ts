// Operations of the model, as plain values: at the service, on the player, in between, and on the clock.

import fc from "fast-check";
import {
  allAssetsModes,
  syncModes,
} from "../../../../../server/core/sync-plan/sync-state.ts";
import { fileFaults, listFaults, images, transports } from "./fake-service.ts";
import { labels } from "./service-state.ts";

const asset = fc.constantFrom("a0", "a1", "a2", "a3", "a4");
const playlist = fc.constantFrom("p0", "p1", "p2");
const title = fc.constantFrom("One", "Two", "Three");
const file = fc.nat({ max: images.length - 1 });
const place = fc.nat({ max: 4 });
const seconds = fc.constantFrom(5, 10, 25);
const on = fc.boolean();

export const predicates = [
  "TRUE",
  "FALSE",
  "$WEEKDAY IN {1, 2, 3}",
  "NOT $WEEKDAY IN {1, 2, 3}",
] as const;
const predicate = fc.constantFrom(...predicates);

const atService = {
  "service adds an item": { asset, playlist, file, seconds },
  "service removes an item": { playlist, place },
  "service moves an item to the front": { playlist, place },
  "service changes an item's seconds": { playlist, place, seconds },
  "service renames an asset": { asset, title },
  "service replaces a file": { asset, file },
  "service makes an asset a page": { asset },
  "service adds a document": {
    asset,
    playlist,
    seconds,
    pages: fc.tuple(on, on),
  },
  "service sets the pages of its documents": { pages: fc.tuple(on, on) },
  "service installs an app": { asset, playlist, file, on, seconds },
  /** Of installed apps; `on`: its files can be listed. */
  "service deploys an app": { asset, file, on },
  "service sets up an app": { asset, title },
  "service puts an asset into the group": { asset, file, on },
  "service deletes an asset": { asset },
  "service renames a playlist": { playlist, title },
  "service switches a playlist": { playlist, on },
  "service sets a predicate": { playlist, predicate },
  "service sets a predicate that cannot be read": { playlist },
  "service sets the priority": { playlist, on },
  "service sets transitions": { playlist, on },
  "service dates a playlist": { playlist, place },
  /** `on`: besides those that it has; otherwise in their place. */
  "service labels a playlist": {
    playlist,
    label: fc.constantFrom(...labels),
    on,
  },
  "service deletes a playlist": { playlist },
  "service is emptied": {},
} as const;

const here = {
  "person renames an asset": { asset, title },
  "person switches an asset": { asset, on },
  "person sets an asset's seconds": { asset, seconds },
  "person dates an asset": { asset, on },
  "person replaces a file": { asset, file },
  "person trashes an asset": { asset },
  "person restores an asset": { asset },
  "person deletes an asset": { asset },
  "person renames a playlist": { playlist, title },
  "person switches a playlist": { playlist, on },
  "person sets a predicate": { playlist, predicate },
  "person reverses a playlist": { playlist },
  "person takes an item out": { playlist, place },
  "person adds an item of this player": { playlist },
  "person trashes a playlist": { playlist },
  "person restores a playlist": { playlist },
  "person deletes a playlist": { playlist },
  "person adds an asset of this player": { title },
  "person discards the changes of an asset": { asset },
  "person discards the changes of a playlist": { playlist },
} as const;

/** One of them, as a value. */
function oneIn<Group extends Readonly<Record<string, object>>>(
  group: Group,
): fc.Arbitrary<OperationIn<Group>> {
  const each = Object.entries(group).map(([name, fields]) =>
    fc.record({ name: fc.constant(name), ...fields }),
  );
  return fc.oneof(...each) as unknown as fc.Arbitrary<OperationIn<Group>>;
}

const between = {
  "a mode is set": { mode: fc.constantFrom(...syncModes) },
  "labels are set": { on },
  "all assets are wanted": { mode: fc.constantFrom(...allAssetsModes) },
  "what waits is applied": {},
  "what waits is postponed": {},
  "the version before is restored": {},
  "the player restarts": {},
  /** While it polls, just before the sync has used the library this many times. */
  "the player is killed": { calls: fc.nat({ max: 25 }) },
  /** Instead of the player, the command line syncs, and is killed after this time. */
  "a process of the sync is killed": {
    ms: fc.integer({ min: 300, max: 3000 }),
  },
  /**
   * A player in a separate process runs on the store and is killed `ms` after its request number `requests`; its request number
   * `lost` does not arrive.
   */
  "a process of the player is killed": {
    requests: fc.integer({ min: 1, max: 12 }),
    ms: fc.nat({ max: 60 }),
    lost: fc.nat({ max: 12 }),
  },
  "the clock runs": { hours: fc.constantFrom(1, 3, 26) },
  "the clock is set": { hours: fc.constantFrom(-30, -2, 2, 30, 9000) },
  "a file fails": { file, fault: fc.constantFrom(...fileFaults) },
  "the lists fail": { fault: fc.constantFrom(...listFaults) },
  "all faults are over": {},
  "answers come otherwise": { how: fc.constantFrom(...transports) },
  /** Meanwhile the service changes, and people change things here; `restarts`: the player, before it is on again. */
  "the connection is off for a while": {
    changes: fc.array(oneIn(atService), { maxLength: 2 }),
    edits: fc.array(oneIn(here), { maxLength: 3 }),
    restarts: on,
  },
  "a file vanishes from the disk": { file },
} as const;

const all = { ...atService, ...here, ...between } as const;

export type OperationName = keyof typeof all;
export type Operation = OperationIn<typeof all>;

type OperationIn<Group> = {
  [Name in keyof Group]: { readonly name: Name } & {
    readonly [
      Field in keyof Group[Name]
    ]: Group[Name][Field] extends fc.Arbitrary<infer Value> ? Value : never;
  };
}[keyof Group];

export interface Step {
  readonly operation: Operation;
  /** The service is polled afterwards, and the result is checked. */
  readonly polls: boolean;
}

export interface Sequence {
  readonly version: "v4.1" | "v4" | "v3";
  /** There is another connection to the same service. */
  readonly second: boolean;
  /** It follows an asset group in place of labels; in version 3, a folder. */
  readonly followsGroup: boolean;
  /** What the connection brought is kept when it is removed in the end. */
  readonly keeps: boolean;
  /** At the service, before it is connected. */
  readonly before: readonly Operation[];
  readonly steps: readonly Step[];
}

function oneOf(
  group: Partial<typeof all>,
  leftOut: ReadonlySet<string>,
): fc.Arbitrary<Operation> {
  const each = Object.entries(group)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, fields]) => fc.record({ name: fc.constant(name), ...fields }));
  return fc.oneof(...each) as unknown as fc.Arbitrary<Operation>;
}

const adding = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant("service adds an item" as const),
      ...all["service adds an item"],
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant("service adds a document" as const),
      ...all["service adds a document"],
    }),
  },
);

/** `leftOut`: operations that lead to known faults that are not fixed yet. */
export function sequences(
  leftOut: ReadonlySet<string> = new Set(),
): fc.Arbitrary<Sequence> {
  const step = fc.record({
    operation: fc.oneof(
      { weight: 3, arbitrary: adding },
      { weight: 5, arbitrary: oneOf(atService, leftOut) },
      { weight: 4, arbitrary: oneOf(here, leftOut) },
      { weight: 3, arbitrary: oneOf(between, leftOut) },
    ),
    polls: fc.boolean(),
  });
  return fc.record({
    version: fc.constantFrom("v4.1", "v4", "v3"),
    second: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    keeps: fc.boolean(),
    followsGroup: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    before: fc.array(fc.oneof(adding, oneOf(atService, leftOut)), {
      ...{ minLength: 2, maxLength: 8 },
    }),
    steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  });
}
