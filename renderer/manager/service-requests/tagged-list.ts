// A list of a content service: requested again only for what has changed (V3-180, V3-193).

import {
  isRow,
  type Row,
} from "../../../server/contract/service-rows/read-rows.ts";
import { refusedBy, type Refused } from "./refused.ts";
import { serviceAccess } from "./service-requests.ts";

export interface TaggedListOptions<List> {
  /** Of version 4, with its query. */
  readonly path: string;
  readonly convert: (rows: readonly Row[]) => List;
  /** Returns the page's name of a field of the service. */
  readonly nameOf: (field: string) => string;
}

export interface TaggedList<List> {
  /** `isChanged` is about the list that was read before. */
  read(): Promise<
    { readonly list: List; readonly isChanged: boolean } | Refused
  >;
  /** The list that was read last; null before the first time. */
  known(): List | null;
  /** Whether it is too long to have a tag (V4-46), so that it is sent whole every time. */
  isLong(): boolean;
}

export function createTaggedList<List>({
  path,
  convert,
  nameOf,
}: TaggedListOptions<List>): TaggedList<List> {
  let known: {
    readonly etag: string | null;
    readonly text: string;
    readonly list: List;
  } | null = null;
  return {
    read: async () => {
      const before = known;
      const answer = await serviceAccess.request("GET", path, {
        etag: before?.etag ?? null,
      });
      if (answer.status === 304 && before)
        return { list: before.list, isChanged: false };
      if (answer.status !== 200 || !Array.isArray(answer.json))
        return refusedBy(answer, nameOf);
      const rows = answer.json.filter(isRow);
      const text = JSON.stringify(rows);
      const isChanged = before !== null && before.text !== text;
      const list = before && !isChanged ? before.list : convert(rows);
      known = { etag: answer.etag, text, list };
      return { list, isChanged };
    },
    known: () => known?.list ?? null,
    isLong: () => known !== null && known.etag === null,
  };
}
