// Random database damage, as disks, cables and other programs cause it; the same for the same seed.

import { readFile, writeFile } from "node:fs/promises";

const pageBytes = 4096;
const headBytes = 100;

export type Draw = (below: number) => number;
type Damage = (bytes: Buffer, draw: Draw) => Buffer;

function garbage(bytes: Buffer, at: number, length: number, draw: Draw) {
  for (let index = 0; index < length && at + index < bytes.length; index += 1)
    bytes[at + index] = draw(256);
  return bytes;
}

/** Positions of letters in the first page, which holds the beginning of the schema. */
function letters(bytes: Buffer): readonly number[] {
  return [...bytes.subarray(headBytes, pageBytes).entries()]
    .filter(([, byte]) => byte >= 0x61 && byte <= 0x7a)
    .map(([at]) => at + headBytes);
}

const damages: Readonly<Record<string, Damage>> = {
  "a bit": (bytes, draw) => {
    const at = draw(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
    return bytes;
  },
  "a byte": (bytes, draw) => garbage(bytes, draw(bytes.length), 1, draw),
  "a letter of the schema": (bytes, draw) => {
    const found = letters(bytes);
    bytes[found[draw(found.length)] ?? headBytes] = 0x61 + draw(26);
    return bytes;
  },
  "a byte of the head": (bytes, draw) =>
    garbage(bytes, draw(headBytes), 1, draw),
  "some bytes": (bytes, draw) => {
    for (let count = 0; count < 20; count += 1)
      garbage(bytes, draw(bytes.length), 1, draw);
    return bytes;
  },
  "a sector": (bytes, draw) =>
    garbage(bytes, draw(bytes.length / 512) * 512, 512, draw),
  "a page": (bytes, draw) =>
    garbage(bytes, draw(bytes.length / pageBytes) * pageBytes, pageBytes, draw),
  "a page of nothing": (bytes, draw) => {
    const at = draw(bytes.length / pageBytes) * pageBytes;
    return bytes.fill(0, at, at + pageBytes);
  },
  "its end": (bytes, draw) => bytes.subarray(0, draw(bytes.length)),
  "two pages changed for each other": (bytes, draw) => {
    const [one, other] = [0, 0].map(
      () => draw(bytes.length / pageBytes) * pageBytes,
    ) as [number, number];
    const kept = Buffer.from(bytes.subarray(one, one + pageBytes));
    bytes.copy(bytes, one, other, other + pageBytes);
    kept.copy(bytes, other);
    return bytes;
  },
};

/** Returns what was done to it. */
export async function damageBySeed(
  file: string,
  seed: number,
): Promise<string> {
  const kinds = Object.entries(damages);
  const [name, damage] = kinds[seed % kinds.length] ?? ["", (all) => all];
  const draw = drawing(seed);
  await writeFile(file, damage(await readFile(file), draw));
  return name;
}

/** Mulberry32. */
export function drawing(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
