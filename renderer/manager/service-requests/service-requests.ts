// Requests to the content service at the address that the page came from: the session cookie signs them (V4-371), and a header shows
// that the manager sent them (V4-372).

import { rejectionCode } from "../../../server/contract/code-of-status.ts";
import { reasonIn } from "../../../server/contract/screens-client/response-reason.ts";
import type {
  ServiceAccess,
  ServiceAnswer,
} from "../../../server/contract/screens-client/service-access.ts";
import { applyAnywayHeader } from "../../../server/contract/v3/v3-what-if.ts";
import { managerHeader } from "../../../server/contract/v2/manager-header.ts";
import { Failure, type FieldSentences } from "../../../server/core/failure.ts";
import { t } from "../../locales/messages.ts";
import { ChangeCanceled } from "../api/change-canceled.ts";
import { noteSucceeded, Refusal } from "../api/refusal.ts";
import { noteSignedOut } from "../transport/signed-out.ts";
import { askAboutChange, heldBackIn } from "./change-question.ts";

type Method = Parameters<ServiceAccess["request"]>[0];

/** From the request to the last byte. */
const maxMs = 30_000;

/** The same for a page, however it was opened. */
export const servicePrefix = "/api/v3";

/** Where a 401 is about what was sent, not about the session. */
const openPaths: ReadonlySet<string> = new Set(
  ["/sign-in/", "/invitations/preview/", "/invitations/accept/"].map(
    (path) => servicePrefix + path,
  ),
);

function unreachable(): Failure {
  return new Failure("unavailable", t("service.noResponse"));
}

async function send(
  method: Method,
  path: string,
  { json, etag = null, headers }: Parameters<ServiceAccess["request"]>[2] = {},
): Promise<Response> {
  try {
    const response = await fetch(path, {
      ...{ method, cache: "no-store", redirect: "error" },
      headers: {
        ...headers,
        [managerHeader.name]: managerHeader.value,
        ...(etag !== null && { "If-None-Match": etag }),
        ...(json !== undefined && { "Content-Type": "application/json" }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(maxMs),
    });
    if (response.status === 401 && !openPaths.has(path)) noteSignedOut();
    return response;
  } catch {
    throw unreachable();
  }
}

async function answerOf(response: Response): Promise<ServiceAnswer> {
  const text = await response.text().catch(() => {
    throw unreachable();
  });
  const { status } = response;
  const json = jsonIn(text);
  return {
    ...{ status, json, etag: response.headers.get("etag") },
    reason: reasonIn({ status, json }),
  };
}

/** Null if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function bytesOf(
  response: Response,
  maxBytes: number,
): Promise<Uint8Array> {
  const { status } = response;
  if (status !== 200)
    throw new Failure("not-found", reasonIn({ status, json: null }));
  const blob = await response.blob().catch(() => {
    throw unreachable();
  });
  if (blob.size > maxBytes)
    throw new Failure("too-large", "The file is too large.");
  return new Uint8Array(await blob.arrayBuffer());
}

/** Of the service that this page came from. Throws ChangeCanceled for a change that is held back, and not applied anyway. */
export const serviceAccess: ServiceAccess = {
  request: async (method, path, options) => {
    const answer = await answerOf(await send(method, path, options));
    if (method === "GET") return answer;
    const whatIf = heldBackIn(answer.status, answer.json);
    if (whatIf === undefined) return answer;
    if (!(await askAboutChange(null, whatIf))) throw new ChangeCanceled();
    const headers = { ...options?.headers, [applyAnywayHeader]: "true" };
    return answerOf(await send(method, path, { ...options, headers }));
  },
  // The service may know itself by another name than the one under which this page was opened.
  readFile: async (address, maxBytes) => {
    const { pathname, search } = new URL(address, location.href);
    return bytesOf(await send("GET", pathname + search), maxBytes);
  },
  download: async (path, maxBytes) =>
    bytesOf(await send("GET", path), maxBytes),
};

/** A request below version 3 of the interface; returns the JSON of its response. Throws a Refusal. */
export async function requestService<Answer>(
  method: Method,
  path: string,
  json?: unknown,
): Promise<Answer> {
  const answer = await serviceAccess.request(method, servicePrefix + path, {
    json,
  });
  const attempt = `${method} ${path}`;
  if (answer.status >= 300) throw refusalOf(answer, attempt);
  noteSucceeded(path, attempt);
  return answer.json as Answer;
}

function refusalOf(
  { status, json, reason }: ServiceAnswer,
  attempt: string,
): Refusal {
  const code = isCodeRequired(json) ? codeRequired : rejectionCode(status);
  const fields = status === 400 && isRecord(json) ? json : null;
  return new Refusal(code, reason, fields, attempt);
}

/** Of a Refusal: the password is right, and a code is needed besides (V3-160). */
export const codeRequired = "code-required";

function isCodeRequired(json: unknown): boolean {
  return (
    typeof json === "object" &&
    json !== null &&
    "code_required" in json &&
    json.code_required === true
  );
}

function isRecord(value: unknown): value is FieldSentences {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
