// Request headers of pages: the asset's headers and the screen metadata, sent to the page's own origin only.

import type {
  ScreenFacts,
  WebOptions,
} from "../../server/contract/page-context.ts";
import { screenHeaders } from "./screen-headers.ts";

export type Headers = Readonly<Record<string, string>>;

/** Tokens by which a page recognises that it runs on a signage screen. */
const playerTokens = "screenly-viewer/2.0 ScreenlyWebview";

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Hop-by-hop headers, or what the browser states about itself: a page can never set them. */
const kept =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|origin|proxy-.*|sec-.*)$/i;

/** Headers for the page's own origin. */
export function customHeaders(web: WebOptions, screen: ScreenFacts): Headers {
  const given = Object.entries(web.headers).filter(
    ([name]) => headerName.test(name) && !kept.test(name),
  );
  const headers: Record<string, string> = {};
  if (web.isMetadataSent)
    for (const [name, value] of Object.entries(screenHeaders(screen)))
      headers[name] = headerValue(value);
  for (const [name, value] of given)
    // An explicit user agent takes precedence (V2-171).
    if (!(web.userAgent !== null && /^user-agent$/i.test(name)))
      setHeader(headers, name, value);
  return headers;
}

/** One value per name, regardless of case. */
function setHeader(
  headers: Record<string, string>,
  name: string,
  value: string,
): void {
  for (const other of Object.keys(headers))
    if (other.toLowerCase() === name.toLowerCase()) delete headers[other];
  headers[name] = headerValue(value);
}

/** Without control characters; non-ASCII characters percent-encoded as UTF-8 (V2-172). */
export function headerValue(text: string): string {
  return [...text.replace(controls, " ").trim()]
    .map((letter) =>
      /[\x20-\x7e]/.test(letter) ? letter : encodeURIComponent(letter),
    )
    .join("");
}

// oxlint-disable-next-line no-control-regex -- these are what must not pass
const controls = /[\u0000-\u001f\u007f]+|\p{Surrogate}/gu;

/** The browser's own user agent, followed by the player's tokens. */
export function agentOf(web: WebOptions, browsers: string): string {
  return web.userAgent === null
    ? `${browsers} ${playerTokens}`
    : headerValue(web.userAgent);
}

/** The headers of one request: custom headers are added for the own origin, and removed again where a redirect leads elsewhere. */
export function withCustomHeaders(
  sent: Headers,
  custom: Headers,
  is: { readonly toPageOrigin: boolean; readonly redirected: boolean },
  agent: string,
): Headers {
  const names = new Set(Object.keys(custom).map((name) => name.toLowerCase()));
  if (!is.toPageOrigin && !is.redirected) return sent;
  const cookies = mergedCookies(sent, custom, is.toPageOrigin);
  const others = Object.entries(sent).filter(
    ([name]) => !names.has(name.toLowerCase()),
  );
  const rest = Object.fromEntries(others);
  if (is.toPageOrigin) return { ...rest, ...custom, ...cookies };
  return {
    ...{ ...rest, ...cookies },
    ...(names.has("user-agent") && { "User-Agent": agent }),
  };
}

/** Cookie is the only header that both sides set: custom cookies come before those of the site, which stay (V2-100). */
function mergedCookies(
  sent: Headers,
  custom: Headers,
  toPageOrigin: boolean,
): Headers {
  const ours = pairsIn(custom);
  if (ours.length === 0) return {};
  const theirs = pairsIn(sent).filter((pair) => !ours.includes(pair));
  const all = toPageOrigin ? [...ours, ...theirs] : theirs;
  return all.length === 0 ? {} : { Cookie: all.join("; ") };
}

function pairsIn(headers: Headers): readonly string[] {
  const [, text = ""] =
    Object.entries(headers).find(([name]) => /^cookie$/i.test(name)) ?? [];
  return text.split(/;\s*/).filter((pair) => pair !== "");
}
