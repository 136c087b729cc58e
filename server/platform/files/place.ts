// Places on the disk whose names are no UTF-8: as texts they have lost what only their bytes tell (V2-373).

import { readdir } from "node:fs/promises";
import path from "node:path";
import { readableText } from "../text/readable-text.ts";

/** What the disk itself is asked for. */
export type Place = string | Buffer;

/** What stands in a text for bytes that were none. */
const lost = "\ufffd";

/** The place that this path can only mean; the path itself where that is not one alone. */
export async function placeOf(file: string): Promise<Place> {
  if (!file.includes(lost)) return file;
  const folder = await placeOf(path.dirname(file));
  const name = path.basename(file);
  const names = await namesIn(folder).catch(() => []);
  const [only, ...more] = names.filter((bytes) => bytes.toString() === name);
  return only && more.length === 0 ? placeIn(folder, only) : file;
}

/** Its last part, to be read. */
export function nameOf(place: Place): string {
  if (typeof place === "string") return path.basename(place);
  return readableText(place.subarray(place.lastIndexOf(path.sep) + 1));
}

export function namesIn(folder: Place): Promise<Buffer[]> {
  return readdir(folder, { encoding: "buffer" });
}

export function placeIn(folder: Place, name: Place): Place {
  if (typeof folder === "string" && typeof name === "string")
    return path.join(folder, name);
  return Buffer.concat(
    [folder, path.sep, name].map((part) => Buffer.from(part)),
  );
}
