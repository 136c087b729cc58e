/** The object storage cannot be reached, or does not do what it is asked to: clients and workers try again (V4-355). */
export class StorageAwayError extends Error {
  /** It has answered, and will not do it later either. */
  readonly isRefusal: boolean;

  constructor(cause: unknown, isRefusal = false) {
    super("The object storage of this service is not available.", { cause });
    this.name = "StorageAwayError";
    this.isRefusal = isRefusal;
  }
}
