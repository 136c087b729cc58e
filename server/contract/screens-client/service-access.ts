// What a client of a content service needs of its connection: requests to its interface, and files that the service names.

export interface ServiceAccess {
  /** Throws a Failure `unavailable` where no service answers, as everything here does. */
  readonly request: (
    method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
    /** Begins with a slash. */
    path: string,
    options?: ServiceRequest,
  ) => Promise<ServiceAnswer>;
  /**
   * An address from a response of the service. Sent without credentials: such addresses are signed, and may be elsewhere. Throws
   * a Failure `not-found` where the service rejects it.
   */
  readonly readFile: (address: string, maxBytes: number) => Promise<Uint8Array>;
  /** A file of the interface itself, sent with credentials; the path begins with a slash. Throws as `readFile` does. */
  readonly download: (path: string, maxBytes: number) => Promise<Uint8Array>;
}

export interface ServiceRequest {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Answered with 304 while it is the same. */
  readonly etag?: string | null;
}

export interface ServiceAnswer {
  readonly status: number;
  /** Null if the response is not JSON. */
  readonly json: unknown;
  readonly etag: string | null;
  /** Why the request was rejected, in a sentence. */
  readonly reason: string;
}
