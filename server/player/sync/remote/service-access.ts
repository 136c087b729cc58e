// Direct access to the interface of a content service with its key, for the manager: requests, and files that the service names.

import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import type { ServiceAccess } from "../../../contract/screens-client/service-access.ts";
import { Failure } from "../../../core/failure.ts";
import { requestHttp, type HttpAnswer } from "../../../platform/http/client.ts";
import { RemoteError, toRemoteError } from "./remote-error.ts";
import { createSend, type SenderAddress } from "./send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";

const silenceMs = 10_000;
/** From the request to the last byte. */
const deadlineMs = 30_000;

/** Everything throws a Failure `unavailable` where no service answers. */
export function createServiceAccess(
  address: SenderAddress,
  now: () => number,
): ServiceAccess {
  const { baseUrl, isCertificateSkipped, proxyUrl, authorization } = address;
  const send = createSend(address, now, new AbortController().signal);
  return {
    request: async (
      method,
      path,
      { json, etag = null, headers: sent } = {},
    ) => {
      try {
        const answer = await send(method, path, {
          signal: AbortSignal.timeout(deadlineMs),
          // Paths differ between services: any 404 is a response.
          isSearch: true,
          headers: { ...sent, ...(etag !== null && { "If-None-Match": etag }) },
          ...(json === undefined ? {} : { json }),
        });
        const { status, headers } = answer;
        return {
          ...{ status, json: answer.json, etag: headers.etag ?? null },
          reason: reasonIn(answer),
        };
      } catch (error) {
        throw failureOf(error);
      }
    },
    readFile: (file, maxBytes) =>
      bytesAt(() => webAddress(file, baseUrl), maxBytes, {}),
    download: (path, maxBytes) =>
      bytesAt(
        () => new URL(baseUrl + path),
        maxBytes,
        authorization === null ? {} : { Authorization: authorization },
      ),
  };

  async function bytesAt(
    place: () => URL,
    maxBytes: number,
    originHeaders: Readonly<Record<string, string>>,
  ): Promise<Buffer> {
    try {
      const answer = await requestHttp(place(), {
        ...{ verifyTls: !isCertificateSkipped, proxy: proxyUrl, silenceMs },
        ...{ originHeaders, signal: AbortSignal.timeout(deadlineMs) },
      });
      return await bytesOf(answer, maxBytes);
    } catch (error) {
      throw failureOf(error);
    }
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const remote = toRemoteError(error, connectionSentences["the-service"]);
  return remote instanceof RemoteError
    ? new Failure("unavailable", remote.message)
    : remote;
}

/** It may be relative to the service. */
function webAddress(file: string, baseUrl: string): URL {
  const parsed = URL.parse(file, `${baseUrl}/`);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new Failure("not-found", connectionSentences["address-invalid"]);
  return parsed;
}

async function bytesOf(
  { status, body }: HttpAnswer,
  maxBytes: number,
): Promise<Buffer> {
  if (status !== 200) {
    body.destroy();
    throw new Failure(
      "not-found",
      composeSentence(connectionSentences["service-status"], { status }),
    );
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) {
      body.destroy();
      throw new Failure("too-large", generalSentences["file-too-large"]);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
