// The text of an answer, and who else may have written it: a page of the network's, or a proxy.

import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import type { HttpAnswer } from "../../../platform/http/client.ts";
import { CloudTrouble } from "./remote-error.ts";

/** The most that one answer of a service may be, unpacked: a list of ten thousand assets is a sixth of it. */
const mostAnswerBytes = 64 * 1024 * 1024;

export interface AnswerText {
  readonly text: string;
  /** SHA-256 of its bytes; two that are equal say the same. */
  readonly digest: string;
}

/** Throws a CloudTrouble where it is longer than any list can be (V2-549). */
export async function textOf({
  body,
  headers,
}: HttpAnswer): Promise<AnswerText> {
  const isPacked = /\bgzip\b/i.test(headers["content-encoding"] ?? "");
  const source: Readable = isPacked ? body.pipe(createGunzip()) : body;
  // What breaks the connection must break the unpacking too.
  if (isPacked) body.once("error", (error) => source.destroy(error));
  const decoder = new StringDecoder("utf8");
  const hash = createHash("sha256");
  let text = "";
  let sizeBytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostAnswerBytes) {
      body.destroy();
      throw new CloudTrouble(
        "malformed",
        "The cloud's answer is larger than any list can be.",
      );
    }
    hash.update(chunk);
    text += decoder.write(chunk);
  }
  return { text: text + decoder.end(), digest: hash.digest("hex") };
}

/** A web page, by what it calls itself or by how it begins. */
export function isPage(headers: IncomingHttpHeaders, text: string): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") ||
    /^\s*<(!|html)/i.test(text.slice(0, mostBlanks))
  );
}

/** No page has more of them before it begins. */
const mostBlanks = 4096;

/** A refusal as the service words it: `{"detail"}` and sentences by field of version 3 and the link, `code` with `message` of version 4 (V2-530). */
export function isOwnRefusal(json: unknown): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return false;
  if ("detail" in json) return typeof json.detail === "string";
  if ("message" in json)
    return typeof json.message === "string" && "code" in json;
  const fields: readonly unknown[] = Object.values(json);
  return fields.length > 0 && fields.every(Array.isArray);
}

/** Somebody answers in the service's place: what they say is no refusal of it (V2-530). */
export function strangerAnswers(status: number): CloudTrouble {
  return new CloudTrouble(
    "unavailable",
    `Something answers ${status} that does not speak as the service does.`,
    null,
    status,
  );
}

export function portal(status: number | null = null): CloudTrouble {
  return new CloudTrouble(
    "portal",
    "A web page answers in the place of the cloud: this network may want somebody to log in, or the address is another service's.",
    null,
    status,
  );
}

export function proxyWantsName(): CloudTrouble {
  return new CloudTrouble("proxy", "The proxy asks for a name and password.");
}
