// What ends an intake for good: trying again would bring the same. The sentence is for people.

export class IngestError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "IngestError";
  }
}
