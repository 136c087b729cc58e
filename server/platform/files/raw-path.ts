// Paths whose names are not UTF-8: converting them to text loses bytes that are needed to open them (V2-373).

import { readdir } from "node:fs/promises";
import path from "node:path";
import { readableText } from "../text/readable-text.ts";

/** What the file system is called with. */
export type Place = string | Buffer;

/** Replacement character for bytes that are not UTF-8. */
const lost = "\ufffd";

/** The only place that this path can mean; the path itself if there is no such place, or more than one. */
export async function placeOf(file: string): Promise<Place> {
  if (!file.includes(lost)) return file;
  const folder = await placeOf(path.dirname(file));
  const name = path.basename(file);
  const names = await namesIn(folder).catch(() => []);
  const [only, ...more] = names.filter((bytes) => bytes.toString() === name);
  return only && more.length === 0 ? placeIn(folder, only) : file;
}

/** Its last component, as readable text. */
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
