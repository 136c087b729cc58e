// The text of an answer, and who else may have written it: a page of the network's, or a proxy.

import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { HttpAnswer } from "../../../platform/http-client.ts";
import { CloudTrouble } from "./remote-error.ts";

/** Throws a CloudTrouble where it is longer than `mostBytes`, unpacked. */
export async function textOf(
  { body, headers }: HttpAnswer,
  mostBytes: number,
): Promise<string> {
  const isPacked = /\bgzip\b/i.test(headers["content-encoding"] ?? "");
  const source: Readable = isPacked ? body.pipe(createGunzip()) : body;
  // What breaks the connection must break the unpacking too.
  if (isPacked) body.once("error", (error) => source.destroy(error));
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) {
      body.destroy();
      throw new CloudTrouble(
        "malformed",
        "The cloud's answer is larger than any list can be.",
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A web page, by what it calls itself or by how it begins. */
export function isPage(headers: IncomingHttpHeaders, text: string): boolean {
  return (
    /html/i.test(headers["content-type"] ?? "") || /^\s*<(!|html)/i.test(text)
  );
}

export function portal(): CloudTrouble {
  return new CloudTrouble(
    "portal",
    "A web page answers in the place of the cloud: this network may want somebody to log in, or the address is another service's.",
  );
}

export function proxyWantsName(): CloudTrouble {
  return new CloudTrouble("proxy", "The proxy asks for a name and password.");
}
