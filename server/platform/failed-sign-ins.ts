// Limit on failed sign-ins: counts wrong credentials per client address, so that nobody can try indefinitely.

import { isIPv6 } from "node:net";

export interface Attempts {
  /** Counts a wrong attempt; returns how many there were in this quarter of an hour, and the seconds until it ends. */
  note(address: string): {
    readonly count: number;
    readonly secondsLeft: number;
  };
  /** How many there were. */
  countOf(address: string): number;
}

const windowMs = 15 * 60_000;
/** Number of addresses remembered; beyond it the oldest is dropped. */
const maxPlaces = 10_000;

export function createAttempts(monotonic: () => number): Attempts {
  const places = new Map<string, { count: number; since: number }>();
  return {
    countOf: (address) => {
      const place = places.get(networkOf(address));
      return place && monotonic() - place.since < windowMs ? place.count : 0;
    },
    note: (address) => {
      const key = networkOf(address);
      const moment = monotonic();
      const existing = places.get(key);
      const place =
        existing && moment - existing.since < windowMs
          ? existing
          : { count: 0, since: moment };
      place.count += 1;
      // Ordered by the start of their windows, oldest first.
      if (place !== existing) places.delete(key);
      places.set(key, place);
      if (places.size > maxPlaces)
        for (const oldest of places.keys()) {
          places.delete(oldest);
          break;
        }
      const secondsLeft = Math.ceil((place.since + windowMs - moment) / 1000);
      return { count: place.count, secondsLeft };
    },
  };
}

/** One machine may own a whole IPv6 network: all of its addresses count as one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/s, "");
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const groups =
    tail === undefined
      ? first
      : [
          ...first,
          ...Array<string>(8 - first.length - last.length).fill("0"),
          ...last,
        ];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
