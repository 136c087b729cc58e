// Outbox queue: which change may be sent next, which changes are merged into one, and which conflict with the content service.

/** The collections of a service, in one vocabulary for all versions. */
export const writtenCollections = [
  "assets",
  "groups",
  "labels",
  "playlists",
] as const;
export type WrittenCollection = (typeof writtenCollections)[number];
export const readCollections = [...writtenCollections, "screens"] as const;
export type ReadCollection = (typeof readCollections)[number];

export const changeActions = ["create", "change", "delete"] as const;
export type ChangeAction = (typeof changeActions)[number];

/** Which version counts if both sides changed. */
export const changeChoices = ["mine", "theirs"] as const;
export type ChangeChoice = (typeof changeChoices)[number];

export type CloudFields = Readonly<Record<string, unknown>>;

export type ChangeState =
  | "waiting"
  /** Started, and it is not known yet whether the service has it. */
  | "sending"
  | "done"
  /** The service's version differs from the one that was read: a person must choose. */
  | "conflict"
  /** The service rejected it; it is not retried automatically. */
  | "refused";

export interface CloudChange {
  readonly id: string;
  readonly collection: WrittenCollection;
  readonly action: ChangeAction;
  /** The service's identifier, or `change:` and the identifier of the change that creates it; null for something new. */
  readonly target: string | null;
  readonly fields: CloudFields;
  /** As it was read; only for changes and deletions. */
  readonly base: CloudFields | null;
  readonly state: ChangeState;
  readonly tries: number;
  readonly reason: string | null;
  /** In conflict: the service's current version; null if it is gone. */
  readonly theirs: CloudFields | null;
  /** The fields that both sides changed. */
  readonly clashes: readonly string[];
  /** The service's identifier of what was created. */
  readonly madeId: string | null;
  /** Identifiers of similar rows from before it was first sent. */
  readonly alikeBefore: readonly string[] | null;
  /** The fields of the first write: the service may have part of them. Null before that. */
  readonly begun: CloudFields | null;
  readonly file: ChangeFile | null;
  readonly createdAt: number;
  readonly doneAt: number | null;
  /** The address it was last sent to: what was created, and what looked similar, is there. Null: not sent, or not recorded. */
  readonly sentTo: string | null;
}

export interface ChangeFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sentBytes: number;
}

/** Prefix that stands for the result of an earlier change wherever an identifier is expected. */
export const madeBy = "change:";

export interface Folded {
  /** Null: nothing needs to be sent any more. */
  readonly put: CloudChange | null;
  readonly drop: readonly string[];
}

/** Merges changes that have never been sent: the service then only receives the result. */
export function foldInto(
  queue: readonly CloudChange[],
  added: CloudChange,
): Folded {
  const isFresh = (one: CloudChange): boolean =>
    one.state === "waiting" && one.tries === 0;
  const maker = makerOf(queue, added);
  const same = queue.filter(
    (one) =>
      one.target !== null &&
      one.target === added.target &&
      one.collection === added.collection &&
      one.state !== "done",
  );
  const last = same.at(-1);
  if (added.action === "change") {
    const earlier = last ?? maker;
    if (!earlier || !isFresh(earlier) || earlier.action === "delete")
      return { put: added, drop: [] };
    const fields = { ...earlier.fields, ...added.fields };
    // What was read first is still the service's version.
    const base = earlier.base && { ...added.base, ...earlier.base };
    return { put: { ...earlier, fields, base }, drop: [] };
  }
  if (added.action !== "delete") return { put: added, drop: [] };
  const needless = same.filter(isFresh).map(({ id }) => id);
  if (maker && isFresh(maker) && needless.length === same.length)
    return { put: null, drop: [maker.id, ...needless] };
  const first = same.find(isFresh);
  const base = { ...added.base, ...first?.base };
  return { put: { ...added, base }, drop: needless };
}

function makerOf(
  queue: readonly CloudChange[],
  { target }: CloudChange,
): CloudChange | undefined {
  return target?.startsWith(madeBy)
    ? queue.find(({ id }) => id === target.slice(madeBy.length))
    : undefined;
}

/**
 * The first waiting change that may be sent: changes of one row go one after the other, and what a change refers to must exist. A
 * change that is held back is skipped, and everything that depends on it stays in place.
 */
export function nextChange(
  queue: readonly CloudChange[],
  isHeld: (change: CloudChange) => boolean = () => false,
): CloudChange | undefined {
  const isMade = madeIn(queue);
  /** Rows of earlier changes that are not done. */
  const begun = new Set<string>();
  return queue.find((one) => {
    if (one.state === "done") return false;
    const { collection, target } = one;
    const thing = target === null ? null : `${collection} ${target}`;
    const isFirst = thing === null || !begun.has(thing);
    if (thing !== null) begun.add(thing);
    return (
      isFirst &&
      (one.state === "waiting" || one.state === "sending") &&
      !isHeld(one) &&
      makersNamedBy(one).every(isMade)
    );
  });
}

function madeIn(queue: readonly CloudChange[]): (id: string) => boolean {
  const createdIds = new Set<string>();
  for (const { id, state, madeId } of queue)
    if (state === "done" && madeId !== null) createdIds.add(id);
  return (id) => createdIds.has(id);
}

/** It does not continue by itself: a person must decide. */
export function isStuck({ state }: CloudChange): boolean {
  return state === "conflict" || state === "refused";
}

/** True if it refers to what that change creates. */
export function isNeeding(change: CloudChange, changeId: string): boolean {
  return makersNamedBy(change).includes(changeId);
}

/** Changes that wait for something that will never be created. */
export function strandedIn(
  queue: readonly CloudChange[],
): readonly CloudChange[] {
  const byId = new Map(queue.map((one) => [one.id, one]));
  const isNeverMade = (id: string): boolean => {
    const maker = byId.get(id);
    return !maker || (maker.state === "done" && maker.madeId === null);
  };
  return queue.filter(
    (one) => one.state === "waiting" && makersNamedBy(one).some(isNeverMade),
  );
}

/** The changes that create what this one refers to. */
export function makersNamedBy({
  target,
  fields,
}: CloudChange): readonly string[] {
  const ids: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string" && value.startsWith(madeBy))
      ids.push(value.slice(madeBy.length));
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isRecord(value)) visit(value["asset_id"]);
  };
  visit(target);
  for (const name of ["group_id", "labels", "screens", "items"])
    visit(fields[name]);
  return ids;
}

/** Replaces placeholders with the service's identifiers. */
export function resolved(
  queue: readonly CloudChange[],
  change: CloudChange,
): CloudChange {
  const named = new Set(makersNamedBy(change));
  if (named.size === 0) return change;
  const madeIds = new Map(
    queue
      .filter(({ id }) => named.has(id))
      .map(({ id, madeId }) => [id, madeId]),
  );
  const known = (value: unknown): unknown => {
    if (typeof value === "string" && value.startsWith(madeBy))
      return madeIds.get(value.slice(madeBy.length)) ?? value;
    if (Array.isArray(value)) return value.map(known);
    if (isRecord(value) && "asset_id" in value)
      return { ...value, asset_id: known(value["asset_id"]) };
    return value;
  };
  const fields = Object.fromEntries(
    Object.entries(change.fields).map(([name, value]) => [
      name,
      ["group_id", "labels", "screens", "items"].includes(name)
        ? known(value)
        : value,
    ]),
  );
  return { ...change, fields, target: known(change.target) as string | null };
}

/**
 * The fields in which the service's version is neither what was read nor what is wanted, nor, once writing has begun, a state in
 * between. A deletion conflicts with any change of what was read.
 */
export function clashesOf(
  { action, fields, base, begun }: CloudChange,
  theirs: CloudFields,
): readonly string[] {
  const names = Object.keys(action === "delete" ? (base ?? {}) : fields);
  return names.filter(
    (name) =>
      name in theirs &&
      !isAsRead(name, theirs[name], base?.[name]) &&
      (action === "delete" || !isSameField(name, theirs[name], fields[name])) &&
      !(begun && isHalfway(name, theirs[name], base?.[name], fields[name])),
  );
}

/** A list in the middle of being written: new entries are added first, then old ones are removed (V2-349). */
function isHalfway(
  name: string,
  theirs: unknown,
  base: unknown,
  ours: unknown,
): boolean {
  if (!isList(theirs) || !isList(base) || !isList(ours)) return false;
  if (name === "labels" || name === "screens")
    return (
      isWithin(theirs, [...base, ...ours]) &&
      (isWithin(base, theirs) || isWithin(ours, theirs))
    );
  if (name !== "items") return false;
  const old = theirs.slice(0, Math.max(0, theirs.length - ours.length));
  let place = 0;
  for (const item of base) if (isItemAsRead(old[place], item)) place += 1;
  const isOfBase = place === old.length;
  return isOfBase && isSameField(name, theirs.slice(old.length), ours);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isWithin(some: readonly unknown[], all: readonly unknown[]): boolean {
  return some.every((one) => all.includes(one));
}

/** The service has all of it already, as after a lost response. */
export function isAlreadySo(
  { fields }: CloudChange,
  theirs: CloudFields,
): boolean {
  return Object.entries(fields).every(
    ([name, value]) => name in theirs && isSameField(name, theirs[name], value),
  );
}

/** What was sent becomes the base of the next change of the same row. */
export function basedOn(later: CloudChange, done: CloudChange): CloudChange {
  const isSame =
    later.collection === done.collection &&
    later.target !== null &&
    (later.target === done.target || later.target === madeBy + done.id);
  return isSame && later.base
    ? { ...later, base: { ...later.base, ...done.fields } }
    : later;
}

/** Labels and screens are unordered. */
export function isSameField(name: string, a: unknown, b: unknown): boolean {
  if (name === "labels" || name === "screens")
    return isEqual(sorted(a), sorted(b));
  if (name === "items") return isSameList(a, b, isSameItem);
  // Most services do not distinguish null from an empty text.
  return isEqual(a ?? "", b ?? "");
}

/** An item that was read without a duration matches any duration; one that is wanted must match exactly (V2-354). */
function isAsRead(name: string, theirs: unknown, base: unknown): boolean {
  return name === "items"
    ? isSameList(theirs, base, isItemAsRead)
    : isSameField(name, theirs, base);
}

function isSameList(
  a: unknown,
  b: unknown,
  isSame: (one: unknown, other: unknown) => boolean,
): boolean {
  return Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((one, place) => isSame(one, b[place]))
    : isEqual(a ?? "", b ?? "");
}

function isSameItem(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return isEqual(a, b);
  const [one, other] = [a["duration"] ?? null, b["duration"] ?? null];
  return (
    a["asset_id"] === b["asset_id"] &&
    (one === null || other === null
      ? one === other
      : Number(one) === Number(other))
  );
}

function isItemAsRead(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return isEqual(a, b);
  const isUnset = a["duration"] == null || b["duration"] == null;
  return isUnset ? a["asset_id"] === b["asset_id"] : isSameItem(a, b);
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, i) => isEqual(one, b[i]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => name in b && isEqual(a[name], b[name]))
  );
}
