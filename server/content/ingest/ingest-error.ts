// A permanent failure of an ingest: a retry would fail the same way. The message is for people.

export class IngestError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "IngestError";
  }
}
