// Which version a cloud speaks, and below which path: asked, not guessed.

import {
  cloudVersions,
  type CloudVersion,
  type SyncConnectionInput,
} from "../../../core/sync-plan/sync-state.ts";
import type { Cloud } from "./remote.ts";
import type { CloudHttp, RequestOptions } from "./remote-http.ts";
import { createCloudV3 } from "./v3.ts";
import { createCloudV4 } from "./v4.ts";
import { RemoteError } from "./remote-error.ts";

export interface FoundVersion {
  readonly version: CloudVersion;
  /** `/api` or nothing. */
  readonly prefix: string;
}

/** A short list of its own in each version. */
const questions: Readonly<Record<CloudVersion, string>> = {
  "v4.1": "/v4.1/labels?select=id&limit=1",
  v4: "/v4/labels?select=id&limit=1",
  v3: "/v3/groups/",
};

const prefixes = ["", "/api"] as const;

/** Real ones answer below `/api` or without it; the newest version that answers is taken (V2-204). */
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
        // Who refused a newer one may have been somebody on the way: once more decides.
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
        ? "There is no content service at this address."
        : `There is no content service of version ${requestedVersion} at this address.`,
    )
  );
}

/** Of one whose version was known and that refuses what it was asked: that version is left only where the service says in its own shape that it is not there any more (V2-542). */
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

/** A newer version than the known one; null where it has none, or does not say. */
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

/** Null where it answers as that version would. */
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
      : new RemoteError("malformed", "The cloud's answer is no list.");
  } catch (error) {
    if (error instanceof RemoteError) return error;
    throw error;
  }
}

/** Another path may be answered otherwise; a connection that fails, fails for all. */
function isOfThisPath({ code }: RemoteError): boolean {
  return (
    code === "refused" ||
    code === "malformed" ||
    code === "portal" ||
    code === "unauthorized"
  );
}

export function cloudOf(
  { version, prefix }: FoundVersion,
  http: CloudHttp,
  baseUrl: string,
  token: string,
): Cloud {
  return version === "v3"
    ? createCloudV3(http, baseUrl, prefix)
    : createCloudV4(http, baseUrl, prefix, version, token);
}
