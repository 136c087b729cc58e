// Requests to another player of the site: how far it is with some files. Bytes are received by the resumable download.

import type https from "node:https";
import {
  maxSiteBodyBytes,
  siteAnswer,
  sitePaths,
  type SiteAnswer,
  type SiteQuestion,
} from "../../../contract/discovery/site.ts";
import { requestHttp } from "../../../platform/http/client.ts";

export interface SiteEndpoint {
  readonly address: string;
  readonly port: number;
  readonly agent: https.Agent;
}

/** Throws when it does not respond in time, or not as it should. */
export async function queryPlayer(
  endpoint: SiteEndpoint,
  question: SiteQuestion,
  {
    deadlineMs,
    stopped,
  }: { readonly deadlineMs: number; readonly stopped: AbortSignal },
): Promise<SiteAnswer> {
  const content = Buffer.from(JSON.stringify(question));
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(deadlineMs)]);
  const { status, body } = await requestHttp(addressOf(endpoint), {
    method: "POST",
    body: { type: "application/json", sizeBytes: content.length, content },
    ...{ agent: endpoint.agent, verifyTls: true, isFirstServerOnly: true },
    ...{ silenceMs: deadlineMs, signal },
  });
  try {
    if (status !== 200) throw new Error(`it responds with status ${status}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxSiteBodyBytes)
        throw new Error("it responds with too much");
      chunks.push(chunk);
    }
    return siteAnswer.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } finally {
    body.destroy();
  }
}

export function addressOf({ address, port }: SiteEndpoint, md5?: string): URL {
  const path =
    md5 === undefined ? sitePaths.files : `${sitePaths.files}/${md5}`;
  return new URL(`https://${address}:${port}${path}`);
}
