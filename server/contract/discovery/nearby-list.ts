// List of what was found in the network, as a pure function of the announcements that arrived: bounded, and sceptical of each
// of them (V2-764, V2-765).

import { readValues, type ReadValues } from "./announcement.ts";

/** One announcement, as it arrived: every field was written by a stranger, `from` by the network. */
export interface Sighting {
  readonly instance: string;
  /** 0 where nothing can be reached. */
  readonly port: number;
  readonly values: ReadonlyMap<string, string>;
  /** IPv4 addresses that the announcement names. */
  readonly addresses: readonly string[];
  /** The address that it came from. */
  readonly from: string;
  /** 0: it takes its leave. */
  readonly ttlSeconds: number;
}

export interface Nearby extends ReadValues {
  readonly id: string;
  readonly address: string;
  readonly port: number | null;
  /** The announcement came from the address itself, not from a router that passes announcements on. */
  readonly isDirect: boolean;
}

interface Entry {
  readonly nearby: Nearby;
  readonly from: string;
  readonly endsAtMs: number;
}

/** By lower-case instance. */
export type NearbyList = ReadonlyMap<string, Entry>;

export const nothingNearby: NearbyList = new Map();

export const nearbyLimits = {
  /** Further ones are ignored until there is room: nothing displaces what is listed. */
  listed: 200,
  /** More than one PC runs, and little enough for one that floods the network. */
  fromOneAddress: 8,
  /** Ours repeat themselves within this time; a stranger cannot stay listed for longer after its last word. */
  ttlSeconds: 120,
} as const;

/** `isNear` decides which addresses are offered at all. */
export function withSighting(
  list: NearbyList,
  sighting: Sighting,
  nowMs: number,
  isNear: (address: string) => boolean,
): NearbyList {
  const key = sighting.instance.toLowerCase();
  const known = list.get(key);
  if (sighting.ttlSeconds <= 0)
    // Only what announced itself can take its leave.
    return known?.from === sighting.from ? without(list, [key]) : list;
  const nearby = nearbyFrom(key, sighting, isNear);
  if (nearby === null) return list;
  const current = withoutEnded(list, nowMs);
  // Of a PC with two networks, the first one counts until it falls silent.
  const from = current.get(key)?.from ?? sighting.from;
  if (from !== sighting.from) return current;
  const replaced = sameEndpoint(current, key, nearby);
  if (!nearby.isDirect && replaced.some((k) => isDirectIn(current, k)))
    return current;
  const isFurther = !current.has(key) && replaced.length === 0;
  if (isFurther && !hasRoomFor(from, current)) return current;
  const ttl = Math.min(sighting.ttlSeconds, nearbyLimits.ttlSeconds);
  const next = new Map(current);
  for (const other of replaced) next.delete(other);
  return next.set(key, { nearby, from, endsAtMs: nowMs + ttl * 1000 });
}

function hasRoomFor(from: string, list: NearbyList): boolean {
  if (list.size >= nearbyLimits.listed) return false;
  let count = 0;
  for (const entry of list.values()) if (entry.from === from) count += 1;
  return count < nearbyLimits.fromOneAddress;
}

export function withoutEnded(list: NearbyList, nowMs: number): NearbyList {
  const ended: string[] = [];
  for (const [key, { endsAtMs }] of list)
    if (endsAtMs <= nowMs) ended.push(key);
  return ended.length === 0 ? list : without(list, ended);
}

/** Those that wait first, then by name. */
export function listedIn(list: NearbyList): readonly Nearby[] {
  const name = (nearby: Nearby): string => nearby.name ?? nearby.address;
  return [...list.values()]
    .map(({ nearby }) => nearby)
    .sort(
      (one, other) =>
        Number(other.isWaiting) - Number(one.isWaiting) ||
        name(one).localeCompare(name(other)) ||
        (one.id < other.id ? -1 : 1),
    );
}

function nearbyFrom(
  id: string,
  { port, values, addresses, from }: Sighting,
  isNear: (address: string) => boolean,
): Nearby | null {
  if (!/^[a-z0-9-]{1,63}$/.test(id)) return null;
  if (!Number.isInteger(port) || port < 0 || port > 65535) return null;
  const isDirect = addresses.length === 0 || addresses.includes(from);
  const address = isDirect && isNear(from) ? from : addresses.find(isNear);
  if (address === undefined) return null;
  return {
    ...readValues(values),
    ...{ id, address, isDirect: address === from },
    port: port === 0 ? null : port,
  };
}

/** A program that was killed and started again did not take its leave. */
function sameEndpoint(
  list: NearbyList,
  key: string,
  { address, port }: Nearby,
): readonly string[] {
  const same: string[] = [];
  if (port === null) return same;
  for (const [other, { nearby }] of list)
    if (other !== key && nearby.address === address && nearby.port === port)
      same.push(other);
  return same;
}

function isDirectIn(list: NearbyList, key: string): boolean {
  return list.get(key)?.nearby.isDirect === true;
}

function without(list: NearbyList, keys: readonly string[]): NearbyList {
  const rest = new Map(list);
  for (const key of keys) rest.delete(key);
  return rest;
}
