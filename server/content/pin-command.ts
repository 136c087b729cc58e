// Registers a waiting player from the command line, as a player does, and prints its pin (L-1).

import { linkPaths, registeredLink } from "../contract/link/link.ts";
import { Failure } from "../core/failure.ts";

/** `baseFrom(["--url", "http://127.0.0.1:8090"])`; null for any other arguments. */
export function baseFrom(words: readonly string[]): string | null {
  const [first = "", ...others] = words;
  const [flag, ...rest] = first.split("=");
  const url = rest.length > 0 ? rest.join("=") : others.shift();
  if (flag !== "--url" || others.length > 0 || !url || !URL.canParse(url))
    return null;
  return /^https?:\/\//.test(url) ? url.replace(/(?<!\/)\/+$/, "") : null;
}

export async function requestPin(base: string): Promise<string> {
  // An address of an interface stands for the service behind it.
  const service = base.replace(/(\/api)?\/(v3|v4|v4\.1)$/, "$1");
  const answer = await fetch(service + linkPaths.players, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ facts: {} }),
  }).catch(() => {
    throw new Failure("unavailable", `Nothing responds at ${base}.`);
  });
  const body: unknown = await answer.json().catch(() => null);
  const registered = registeredLink.safeParse(body);
  if (answer.status === 201 && registered.success) return registered.data.pin;
  const message =
    typeof body === "object" && body !== null && "detail" in body
      ? String(body.detail)
      : `It responded with status ${answer.status}.`;
  throw new Failure("unavailable", `No PIN from ${base}: ${message}`);
}
