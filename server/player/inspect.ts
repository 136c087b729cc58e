// What a given address is, and whether it can be reached.

import { fieldFailure } from "../core/failure.ts";
import type { Library } from "./library.ts";
import { tokenOfUri } from "./library.ts";

/** Every answer within this time, name look-up and redirects included. */
const deadlineMs = 10_000;

const remoteSchemes = new Set(["http:", "https:", "rtsp:"]);

/** Throws `invalid` on `uri` unless it is a waiting upload or an address this player can show (V2-15, V2-17). */
export async function assertUsable(
  uri: string,
  library: Library,
  skipCheck: boolean,
): Promise<void> {
  const token = tokenOfUri(uri);
  if (token !== null) {
    if (library.isUploadWaiting(token)) return;
    throw fieldFailure("uri", "No upload with this token waits to be claimed.");
  }
  const address = parseAddress(uri);
  if (skipCheck || address.protocol === "rtsp:") return;
  await assertReachable(address);
}

function parseAddress(uri: string): URL {
  const address = URL.canParse(uri) ? new URL(uri) : null;
  if (!address || !remoteSchemes.has(address.protocol) || !address.hostname)
    throw fieldFailure(
      "uri",
      "This must be the uri of an upload or an http, https or rtsp address.",
    );
  return address;
}

async function assertReachable(address: URL): Promise<void> {
  const signal = AbortSignal.timeout(deadlineMs);
  const refusal = await ask(address, "HEAD", signal);
  // Some servers know GET alone.
  if (refusal === null || (await ask(address, "GET", signal)) === null) return;
  throw fieldFailure("uri", `This address cannot be reached: ${refusal}.`);
}

/** Null when it answers, else why not. */
async function ask(
  address: URL,
  method: "HEAD" | "GET",
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const answer = await fetch(address, { method, signal, redirect: "follow" });
    await answer.body?.cancel();
    return answer.ok ? null : `it answers ${answer.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "no name server answers",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke off",
  EHOSTUNREACH: "there is no way to that machine",
  ENETUNREACH: "there is no way to that network",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is self-signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `it does not answer within ${deadlineMs / 1000} seconds`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons[code] ?? "the connection fails";
}
