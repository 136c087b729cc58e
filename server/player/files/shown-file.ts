// What is shown of a stored file: the file, or the copy that is made of a large one or of an SVG (V2-421, V2-423).

import type { FileStore } from "../../platform/files/file-store.ts";
import { shownTypeOf } from "../../platform/media/media-job.ts";
import type { Library } from "../library/library.ts";

export interface ShownFile {
  readonly path: string;
  readonly type: string;
  /** Null for a copy. */
  readonly sizeBytes: number | null;
}

/** Null where there is no file with this hash. */
export function shownFileOf(
  { library, store }: { readonly library: Library; readonly store: FileStore },
  hash: string,
): ShownFile | null {
  const file = library.file(hash);
  if (!file) return null;
  const { sizeBytes, type } = file;
  const copy = store.shownPathOf(hash);
  return copy === null
    ? { path: store.pathOf(hash), type, sizeBytes }
    : { path: copy, type: shownTypeOf(type), sizeBytes: null };
}
