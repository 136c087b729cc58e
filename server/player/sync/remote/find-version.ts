// Detects which API version a content service offers and under which path, by requests instead of guesses.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  cloudVersions,
  type CloudVersion,
  type SyncConnectionInput,
} from "../../../core/sync-plan/sync-state.ts";
import type { CloudHttp, RequestOptions } from "./remote-http.ts";
import { RemoteError } from "./remote-error.ts";

export interface FoundVersion {
  readonly version: CloudVersion;
  /** `/api` or empty. */
  readonly prefix: string;
}

/** A short list that only this version has. */
const questions: Readonly<Record<CloudVersion, string>> = {
  "v4.1": "/v4.1/labels?select=id&limit=1",
  v4: "/v4/labels?select=id&limit=1",
  v3: "/v3/groups/",
};

const prefixes = ["", "/api"] as const;

/** Services answer below `/api` or without it; the newest version that answers is used (V2-204). */
export async function findVersion(
  http: CloudHttp,
  requestedVersion: SyncConnectionInput["version"],
): Promise<FoundVersion> {
  const refusals: RemoteError[] = [];
  for (const version of requestedVersion === "auto"
    ? cloudVersions
    : [requestedVersion])
    for (const prefix of prefixes) {
      const found = { version, prefix };
      const failure = await refusalOf(http, found, { isSearch: true });
      if (failure === null)
        // The newer version may have been rejected by an intermediary: a second request decides.
        return requestedVersion === "auto" && refusals.length > 0
          ? ((await findNewerVersion(http, found)) ?? found)
          : found;
      if (!isOfThisPath(failure)) throw failure;
      refusals.push(failure);
    }
  throw (
    refusals.find(({ code }) => code === "unauthorized") ??
    refusals.find(({ code }) => code === "portal") ??
    new RemoteError(
      "refused",
      requestedVersion === "auto"
        ? connectionSentences["no-service"]
        : composeSentence(connectionSentences["no-version"], {
            version: requestedVersion,
          }),
    )
  );
}

/**
 * For a service whose version was known and that rejects a request: the version is given up only if the service itself answers, in
 * its own error format, that it no longer exists (V2-542).
 */
export async function findVersionAgain(
  http: CloudHttp,
  requestedVersion: SyncConnectionInput["version"],
  cached: FoundVersion,
): Promise<FoundVersion> {
  for (const version of requestedVersion === "auto"
    ? cloudVersions
    : [requestedVersion]) {
    const found = { version, prefix: cached.prefix };
    const failure = await refusalOf(http, found);
    if (failure === null) return found;
    if (failure.code !== "refused") throw failure;
  }
  return findVersion(http, requestedVersion);
}

/** A version newer than the known one; null if there is none or the service does not answer. */
export async function findNewerVersion(
  http: CloudHttp,
  { version, prefix }: FoundVersion,
): Promise<FoundVersion | null> {
  for (const newer of cloudVersions.slice(0, cloudVersions.indexOf(version))) {
    const found = { version: newer, prefix };
    const failure = await refusalOf(http, found);
    if (failure === null) return found;
    if (failure.code !== "refused") return null;
  }
  return null;
}

/** Null if the response fits that version. */
async function refusalOf(
  http: CloudHttp,
  { version, prefix }: FoundVersion,
  options: RequestOptions = {},
): Promise<RemoteError | null> {
  try {
    const { body } = await http.request(
      prefix + questions[version],
      null,
      options,
    );
    return Array.isArray(body)
      ? null
      : new RemoteError("malformed", connectionSentences["not-a-list"]);
  } catch (error) {
    if (error instanceof RemoteError) return error;
    throw error;
  }
}

/** Another path may get another response; a failing connection fails for all of them. */
function isOfThisPath({ code }: RemoteError): boolean {
  return (
    code === "refused" ||
    code === "malformed" ||
    code === "portal" ||
    code === "unauthorized"
  );
}
