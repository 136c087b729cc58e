// Sends an alert to a webhook, signed with the secret of its rule (V3-96, V3-97).

import { createHmac } from "node:crypto";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { reasonOfConnection, requestHttp } from "../../platform/http/client.ts";
import { DeliveryError } from "./delivery-error.ts";

export interface WebhookRequest {
  readonly url: string;
  readonly secret: string;
  readonly messageId: string;
  readonly body: string;
  /** Milliseconds since 1970, signed with the body. */
  readonly at: number;
  readonly mayConnect: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** From the start to the head of the response. */
  readonly deadlineMs?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const defaultDeadlineMs = 10_000;
/** The receiver wants no more of them. */
const gone = 410;

/** Returns how it went as a sentence; throws a DeliveryError. Nothing of the response is read but its head. */
export async function sendWebhook(request: WebhookRequest): Promise<string> {
  const { messageId, body, mayConnect } = request;
  const { deadlineMs = defaultDeadlineMs } = request;
  const content = Buffer.from(body);
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(deadlineMs),
  ]);
  const answer = await requestHttp(new URL(request.url), {
    method: "POST",
    body: { type: "application/json", sizeBytes: content.length, content },
    headers: {
      ...request.headers,
      "Idempotency-Key": messageId,
      "X-Vitrine-Signature": signatureOf(request.secret, request.at, body),
    },
    ...{ verifyTls: true, silenceMs: deadlineMs, mayConnect, signal },
  }).catch((error: unknown) => {
    throw new DeliveryError(
      composeSentence(serviceSentences["request-failed"], {
        reason: reasonOfConnection(error),
      }),
    );
  });
  const { status } = answer;
  answer.body.on("error", () => undefined).destroy();
  if (status >= 200 && status < 300)
    return composeSentence(serviceSentences["server-status"], { status });
  if (status >= 300 && status < 400)
    throw new DeliveryError(
      composeSentence(serviceSentences["server-redirects"], { status }),
    );
  throw new DeliveryError(
    composeSentence(serviceSentences["server-status"], { status }),
    status === gone,
  );
}

/** `t=1767225600,v1=…`: the seconds since 1970, and the HMAC-SHA256 of `t.body` as hexadecimal digits. */
function signatureOf(secret: string, at: number, body: string): string {
  const seconds = Math.floor(at / 1000);
  const mac = createHmac("sha256", secret).update(`${seconds}.${body}`);
  return `t=${seconds},v1=${mac.digest("hex")}`;
}
