// Limits on a request to version 4 (filters, list values, columns, rows): more is rejected before any database is involved (V4-40).

import { bodyLimits } from "../../http/body-limits.ts";

export const limits = {
  ...bodyLimits,
  /** The longest address an honest client sends; the server accepts 16 KiB including all headers. */
  queryBytes: 16 * 1024,
  /** Nesting of and/or. */
  logicDepth: 50,
  /** Filters per request, including those within and/or. */
  conditions: 300,
  /** Values within one in, any or all. */
  listItems: 1000,
  /** Columns and embeddings on one level of a select. */
  selectItems: 300,
  /** Members of one object, including the columns of every `*` and of every spread. */
  shownMembers: 500,
  embeddingDepth: 10,
  embeddings: 50,
  orderTerms: 32,
  pathSteps: 32,
  patternLength: 500,
  /** Rows per insert. */
  bodyRows: 10_000,
  /** Rows per batch of those: other requests are answered in between. */
  rowsPerBatch: 250,
  /** Rows read before an answer begins; longer lists are streamed. */
  rowsAtOnce: 1000,
  /** Rows per piece of those: small enough for a piece to be freed as soon as it is sent. */
  rowsInPiece: 100,
} as const;
