// Which version a cloud speaks, and below which path: asked, not guessed.

import {
  cloudVersions,
  type CloudVersion,
  type SyncAccountWish,
} from "../../../core/sync-state.ts";
import type { Cloud } from "./remote.ts";
import type { CloudHttp } from "./remote-http.ts";
import { createCloudV3 } from "./v3.ts";
import { createCloudV4 } from "./v4.ts";
import { CloudTrouble } from "./remote-error.ts";

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

/** Real ones answer below `/api` or without it; the newest version that answers is taken (V2-204). */
export async function findVersion(
  http: CloudHttp,
  wanted: SyncAccountWish["version"],
): Promise<FoundVersion> {
  const refusals: CloudTrouble[] = [];
  for (const version of wanted === "auto" ? cloudVersions : [wanted])
    for (const prefix of ["", "/api"]) {
      const trouble = await http.ask(prefix + questions[version]).then(
        ({ body }) =>
          Array.isArray(body)
            ? null
            : new CloudTrouble("malformed", "The cloud's answer is no list."),
        (error: unknown) => {
          if (error instanceof CloudTrouble) return error;
          throw error;
        },
      );
      if (trouble === null) return { version, prefix };
      if (!isOfThisPath(trouble)) throw trouble;
      refusals.push(trouble);
    }
  throw (
    refusals.find(({ code }) => code === "unauthorized") ??
    refusals.find(({ code }) => code === "portal") ??
    new CloudTrouble(
      "refused",
      wanted === "auto"
        ? "There is no content service at this address."
        : `There is no content service of version ${wanted} at this address.`,
    )
  );
}

/** Another path may be answered otherwise; a connection that fails, fails for all. */
function isOfThisPath({ code }: CloudTrouble): boolean {
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
