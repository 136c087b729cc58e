// Write interface of a content service, whatever version it speaks: rows in one vocabulary, and steps that may be repeated.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import type {
  CloudFields,
  ReadCollection,
  WrittenCollection,
} from "../../../core/sync-plan/outbox.ts";
import type { SentBody } from "../../../platform/http/client.ts";
import { multipartBody } from "../../../platform/http/multipart-body.ts";
import type { SentAnswer } from "../remote/send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";
import { RemoteError } from "../remote/remote-error.ts";

/** Rows of the service, the same for every version. */
export interface CloudPage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Cursor for the rows after these; null at the end. */
  readonly next: string | null;
}

export interface CloudPageQuery {
  readonly after: string | null;
  readonly limit: number;
}

export interface CloudFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly onSent: (sentBytes: number) => void;
}

export interface CloudWriter {
  read(collection: ReadCollection, query: CloudPageQuery): Promise<CloudPage>;
  /** The fields as this version can store them: what was read and what is wanted are compared in this form (V2-354). */
  asKept(fields: CloudFields): CloudFields;
  /** Length of each of these in seconds; an asset that is missing has none. */
  mediaSeconds(
    assetIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Null if it does not exist. */
  one(collection: WrittenCollection, id: string): Promise<CloudFields | null>;
  /** Identifiers of rows that a creation with these fields may have made. */
  alike(
    collection: WrittenCollection,
    fields: CloudFields,
  ): Promise<readonly string[]>;
  /** One step; returns the identifier. `write` sets the fields that a creation cannot set. */
  create(
    collection: WrittenCollection,
    fields: CloudFields,
    file: CloudFile | null,
  ): Promise<string>;
  /** The fields that a creation cannot set. */
  leftAfterCreation(
    collection: WrittenCollection,
    fields: CloudFields,
    hasFile: boolean,
  ): CloudFields;
  /** Idempotent. False: the service does not have the row any more, and nothing was written (V2-838). */
  write(
    collection: WrittenCollection,
    id: string,
    fields: CloudFields,
  ): Promise<boolean>;
  /** Succeeds if it is already gone. */
  remove(collection: WrittenCollection, id: string): Promise<void>;
}

/** The service rejects the change and would do so again. */
export class RemoteRejection extends Error {}

/** It created something but does not return its identifier. */
export class Unnamed extends RemoteRejection {}

/** Throws RemoteRejection, or a RemoteError if a retry may succeed. */
export function assertTaken(answer: SentAnswer): SentAnswer {
  if (answer.status < 300) return answer;
  if (answer.status === 401)
    throw new RemoteError(
      "unauthorized",
      connectionSentences["token-rejected"],
    );
  throw new RemoteRejection(reasonIn(answer));
}

/**
 * A status other than 200 confirms a write without a body; with 200, its JSON does. An empty or other response is that of an
 * intermediary: whether the service has the change is not known (V2-831).
 */
export function assertWritten(answer: SentAnswer): SentAnswer {
  const { status, json } = assertTaken(answer);
  if (status !== 200 || (typeof json === "object" && json !== null))
    return answer;
  throw unconfirmed();
}

export function unconfirmed(): RemoteError {
  return new RemoteError("malformed", outboxSentences.unconfirmed);
}

/** Throws RemoteRejection, before anything is sent, if this version of the service lacks one of the fields. */
export function assertSupported(
  fields: CloudFields,
  supported: ReadonlySet<string>,
  version: string,
): void {
  for (const name of Object.keys(fields))
    if (!supported.has(name))
      throw new RemoteRejection(
        composeSentence(outboxSentences.unsupported, { version, name }),
      );
}

/** A file is created with its title. */
export function withoutTitle(fields: CloudFields): CloudFields {
  const { title: _, ...others } = fields;
  return others;
}

/** Text fields and one file, streamed: the length is known in advance. */
export function multipartOf(
  texts: Readonly<Record<string, string>>,
  file: CloudFile,
): SentBody {
  return multipartBody(texts, { ...file, field: "file", fileName: "file" });
}
