// How large and how nested a request may be: more is refused before any database hears of it (V4-40).

export const limits = {
  /** An address of an honest client; the server takes 16 KiB with all headers. */
  queryBytes: 16 * 1024,
  /** and/or within and/or. */
  logicDepth: 50,
  /** Filters of one request, those within and/or counted. */
  conditions: 300,
  /** Values within one in, any or all. */
  listItems: 1000,
  /** Columns and embeddings on one level of a select. */
  selectItems: 300,
  /** What one object shows, with the columns of every `*` and of what is spread into it. */
  shownMembers: 500,
  embeddingDepth: 10,
  embeddings: 50,
  orderTerms: 32,
  pathSteps: 32,
  patternLength: 500,
  /** A body nested deeper than this carries no data. */
  jsonDepth: 100,
  /** Of a body, on all its levels together: ten thousand rows of twenty columns. */
  jsonValues: 200_000,
  bodyBytes: 16 * 1024 * 1024,
  formFields: 1000,
  /** Rows of one insert. */
  bodyRows: 10_000,
  /** Of those, so many at a time: whoever else asks is answered in between. */
  rowsPerBatch: 250,
  /** Rows that are read before an answer begins; longer ones are streamed. */
  rowsAtOnce: 1000,
  /** Of those, so many at a time: small enough that a piece is forgotten as soon as it is sent. */
  rowsInPiece: 100,
} as const;
