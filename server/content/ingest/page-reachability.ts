// Checks that pages are reachable before their assets are stored; an unreachable one is rejected at once (V4-217).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Refusal } from "../http/v4-errors.ts";
import { isMediaAddress, reasonUnreachable } from "./fetch.ts";
import { sendableHeaders } from "./headers.ts";
import { parseSource } from "./source-address.ts";

/** The part of a client's asset that matters here. */
export interface NewAsset {
  readonly source_url?: unknown;
  readonly disable_verification?: unknown;
  readonly headers?: unknown;
  readonly user_agent?: unknown;
}

/** Time limit for each page, name resolution and redirects included. */
const deadlineMs = 10_000;
/** A hundred pages take a few rounds, and no server gets all requests at the same time. */
const atOnce = 8;
/** No client waits longer than this for the answer to a list. */
const maxMs = 120_000;

/** Throws a Refusal for the first row whose source is not an address, or is a page that does not answer. */
export async function assertReachable(
  rows: readonly NewAsset[],
  mayConnect: (address: string) => boolean,
  endAfter: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): Promise<void> {
  const pages = rows.flatMap((row) => {
    const { source_url: url } = row;
    if (typeof url !== "string") return [];
    const source = parseSource(url);
    if ("problem" in source)
      throw new Refusal(400, "22023", source.problem, {
        details: url.slice(0, 200),
      });
    const isReachable =
      row.disable_verification !== true && !isMediaAddress(source.address);
    return isReachable ? [{ row, url }] : [];
  });
  if (pages.length === 0) return;
  const ending = endAfter(maxMs);
  for (let from = 0; from < pages.length; from += atOnce) {
    if (ending.aborted) throw tooSlow(from, pages.length);
    await Promise.all(
      pages.slice(from, from + atOnce).map(async ({ row, url }) => {
        const signal = endAfter(deadlineMs);
        const reason = await reasonUnreachable({
          ...{ url, mayConnect, signal, silenceMs: deadlineMs },
          isVerified: true,
          headers: sendableHeaders(row.headers),
          userAgent: typeof row.user_agent === "string" ? row.user_agent : null,
        });
        if (reason !== null) throw unreachable(url, reason);
      }),
    );
  }
}

function tooSlow(sentBytes: number, of: number): Refusal {
  return new Refusal(
    503,
    "57014",
    composeSentence(serviceSentences["pages-slow"], {
      done: sentBytes,
      count: of,
    }),
    { headers: { "Retry-After": "1" } },
  );
}

/** Clients look for this word in `type`. */
function unreachable(url: string, reason: string): Refusal {
  return new Refusal(
    400,
    "P0001",
    composeSentence(serviceSentences["page-unreachable"], { reason }),
    {
      details: url.slice(0, 2000),
      hint: "Set disable_verification to skip this check.",
      type: ["AssetUnreachableError"],
    },
  );
}
