// Wrong credentials, counted by where they come from, so that nobody can try for ever.

import { isIPv6 } from "node:net";

export interface Attempts {
  /** Notes a wrong one; answers how many there were in this quarter of an hour, and the seconds it still lasts. */
  note(address: string): {
    readonly count: number;
    readonly secondsLeft: number;
  };
}

const windowMs = 15 * 60_000;
/** So many places are remembered; then the oldest is forgotten. */
const maxPlaces = 10_000;

export function createAttempts(monotonic: () => number): Attempts {
  const places = new Map<string, { count: number; since: number }>();
  return {
    note: (address) => {
      const key = networkOf(address);
      const moment = monotonic();
      const existing = places.get(key);
      const place =
        existing && moment - existing.since < windowMs
          ? existing
          : { count: 0, since: moment };
      place.count += 1;
      // In the order of their windows' beginnings, the oldest first.
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

/** One machine may have a whole network of addresses of the sixth version: they count as one. */
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
