// Sends email through the operator's mail server: alerts (V3-98), and links for people (V3-199).

import type { Transporter } from "nodemailer";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { reasonOfConnection } from "../../platform/http/client.ts";
import type { ContentConfig } from "../config.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { MailLanguage } from "./mail-language.ts";
import type { MailText } from "./mail-text.ts";

export interface Mail extends MailText {
  /** The same in every attempt. */
  readonly id: string;
}

export interface Mailer {
  /** Of everything that it sends (V4-415). */
  readonly language: MailLanguage;
  /** Returns how it went as a sentence; throws a DeliveryError, also once the signal is aborted. */
  send(to: string, mail: Mail, signal?: AbortSignal): Promise<string>;
}

const connectMs = 10_000;
const silenceMs = 10_000;
/** The request that tests a rule waits for this. */
const mailDeadlineMs = 15_000;
/** A mail server may respond at length. */
const maxResultLength = 300;

/** Null: no mail server is configured. */
export function createMailer({
  smtpUrl,
  smtpFrom,
  language,
}: Pick<ContentConfig, "smtpUrl" | "smtpFrom" | "language">): Mailer | null {
  if (smtpUrl === undefined || smtpFrom === undefined) return null;
  let transport: Promise<Transporter> | null = null;
  // Loaded with the first email: most services send none.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      ...{ url: smtpUrl, connectionTimeout: connectMs },
      ...{ greetingTimeout: connectMs, socketTimeout: silenceMs },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
  };
  return {
    language,
    send: async (to, { id, subject, text }, signal) => {
      transport ??= open();
      const mailing = (await transport).sendMail({
        ...{ from: smtpFrom, to: { name: "", address: to } },
        ...{ subject, text },
        messageId: `<${id}.${Buffer.from(to).toString("hex")}@vitrine>`,
        headers: {
          "Auto-Submitted": "auto-generated",
          "Content-Language": language,
          "X-Vitrine-Message": id,
        },
      });
      const { response } = (await withDeadline(mailing, signal).catch(
        (error: unknown) => {
          throw deliveryErrorOf(error);
        },
      )) as { readonly response?: string };
      return composeSentence(serviceSentences["mail-accepted"], {
        response: oneLine(response ?? ""),
      });
    },
  };
}

async function withDeadline<T>(
  sending: Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeliveryError(serviceSentences["mail-slow"])),
      mailDeadlineMs,
    );
    abort = () => reject(new DeliveryError(serviceSentences.stopping));
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  return Promise.race([sending, late]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { response, responseCode, code } = error as {
    readonly response?: unknown;
    readonly responseCode?: unknown;
    readonly code?: unknown;
  };
  if (typeof response !== "string")
    return new DeliveryError(
      composeSentence(serviceSentences["mail-unreachable"], {
        reason: reasonOfConnection(error),
      }),
    );
  // A recipient or message that is refused for ever; a wrong password can be put right.
  const isFinal =
    typeof responseCode === "number" &&
    responseCode >= 500 &&
    (code === "EENVELOPE" || code === "EMESSAGE");
  return new DeliveryError(
    composeSentence(serviceSentences["mail-response"], {
      response: oneLine(response),
    }),
    isFinal,
  );
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxResultLength);
}
