// Whether a request is meant for what listens here, and comes from no page of another site.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostInAddress, isLoopback, localNames } from "./addresses.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

export interface AllowedHosts {
  /** A name that was made to point here (DNS rebinding) shows in Host. */
  isAllowed(host: string | undefined): boolean;
}

/** For what listens on this host; `aliases` are names by which a proxy or a name server leads here. */
export function createAllowedHosts(
  listenHost: string,
  aliases: readonly string[] = [],
): AllowedHosts {
  const isOpen = !isLoopback(listenHost);
  const names = new Set([
    ...loopbackNames,
    hostInAddress(listenHost.toLowerCase()),
    ...(isOpen ? localNames() : []),
    ...aliases.map((name) => name.toLowerCase()),
  ]);
  /** By which the last one came: most come by the same. */
  let latest: string | undefined;

  function isAllowed(host: string): boolean {
    const name = nameOf(host);
    // A name can be made to point anywhere; an address is what it is.
    const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
    return names.has(name) || (isOpen && isAddress);
  }

  return {
    isAllowed: (host) => {
      if (!host) return false;
      if (host === latest) return true;
      if (!isAllowed(host)) return false;
      latest = host;
      return true;
    },
  };
}

/** A name or an address, and perhaps a port: nothing that could end an address or a text that it is written into. */
const hostText =
  /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_][a-z0-9_.-]{0,253})(?::\d{1,5})?$/i;

export function isHost(text: string): boolean {
  return hostText.test(text);
}

/** Of two, this program and a proxy before it could each believe another one. */
export function hasSeveralHosts({
  rawHeaders,
}: Pick<IncomingMessage, "rawHeaders">): boolean {
  const names = rawHeaders.filter((_text, at) => at % 2 === 0);
  return names.filter((name) => name.toLowerCase() === "host").length > 1;
}

/** A page of another site shows in Origin and Sec-Fetch-Site, even where all it sends is the address of a picture. */
export function isOfOtherSite(
  headers: IncomingHttpHeaders,
  serverOrigin: string,
): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  return (
    site === "cross-site" ||
    site === "same-site" ||
    (origin !== undefined && origin !== serverOrigin)
  );
}

/** Pages send this with everything, and cannot make it say otherwise. */
const pagesAgent = /^Mozilla\//;
/** What this program itself fetches, wherever an address or a redirect leads it. */
const vitrineAgent = /^Vitrine\b/;

/**
 * Whether a request that carries nothing but its address is an order of somebody: a program that says its name in
 * `User-Agent`, a page of the interface's own, or whoever names a token. Browsers send a picture's address with neither
 * `Origin` nor `Sec-Fetch-Site` where it is not encrypted, and a redirect of a page as if it had been typed, so that the
 * absence of both says nothing.
 */
export function isOrdered(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  // No page can send it elsewhere unasked; a password that a browser keeps (Basic), it sends by itself.
  if (/^bearer /i.test(headers.authorization ?? "")) return true;
  const agent = headers["user-agent"] ?? "";
  return agent !== "" && !pagesAgent.test(agent) && !vitrineAgent.test(agent);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}
