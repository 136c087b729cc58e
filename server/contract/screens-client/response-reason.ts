// Why a content service rejected a request, from its response.

import { connectionSentences } from "../sentences/connection-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import type { ServiceAnswer } from "./service-access.ts";

/** The reason of a rejection in one sentence: of version 3, version 4 or the link. */
export function reasonIn({
  status,
  json,
}: Pick<ServiceAnswer, "status" | "json">): string {
  const received =
    typeof json === "object" && json !== null
      ? (json as Readonly<Record<string, unknown>>)
      : {};
  for (const name of ["detail", "message", "error"])
    if (typeof received[name] === "string" && received[name] !== "")
      return received[name].slice(0, maxReasonLength);
  const fields = Object.entries(received).map(([field, value]) => {
    const text = [value].flat().map(String).join(" ");
    return text.startsWith(field) ? text : `${field}: ${text}`;
  });
  return fields.length > 0
    ? fields.join(" ").slice(0, maxReasonLength)
    : composeSentence(connectionSentences["service-status"], { status });
}

const maxReasonLength = 1000;
