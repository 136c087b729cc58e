// Host and origin checks: whether a request is addressed to this server, and does not come from a page of another site.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { hostInAddress, isLoopback, localNames } from "./machine-addresses.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

export interface AllowedHosts {
  /** A name that was made to point here (DNS rebinding) is visible in Host. */
  isAllowed(host: string | undefined): boolean;
}

/** For a server on this host; `aliases` are names by which a proxy or a name server leads here. */
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
  /** The Host of the last request: most requests have the same. */
  let latest: string | undefined;

  function isAllowed(host: string): boolean {
    const name = nameOf(host);
    // A name can be made to point anywhere; an IP address cannot.
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

/** A name or an address, with an optional port: no character that could end an address or a text that contains it. */
const hostText =
  /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_][a-z0-9_.-]{0,253})(?::\d{1,5})?$/i;

export function isHost(text: string): boolean {
  return hostText.test(text);
}

/** Given two, this program and a proxy in front of it could each use a different one. */
export function hasSeveralHosts({
  rawHeaders,
}: Pick<IncomingMessage, "rawHeaders">): boolean {
  const names = rawHeaders.filter((_text, at) => at % 2 === 0);
  return names.filter((name) => name.toLowerCase() === "host").length > 1;
}

/** The origin of a page that this server delivers to this client. */
export function ownOrigin({
  headers,
  socket,
}: Pick<IncomingMessage, "headers" | "socket">): string {
  return `${isEncrypted(socket) ? "https" : "http"}://${headers.host}`;
}

/** Whether the connection uses TLS. */
export function isEncrypted(socket: Socket): boolean {
  return "encrypted" in socket;
}

/** A page of another site is visible in Origin and Sec-Fetch-Site, even if it only requests an image. */
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

/** Pages send this with every request, and cannot change it. */
const pagesAgent = /^Mozilla\//;
/** User agent of this program's own requests, wherever an address or a redirect leads them. */
const vitrineAgent = /^Vitrine\b/;

/**
 * Whether a request that consists only of its address was sent on purpose: by a program that names itself in `User-Agent`, by a
 * page of the interface itself, or with a token. Browsers request an image with neither `Origin` nor `Sec-Fetch-Site` over an
 * unencrypted connection, and a page's redirect as if it had been typed, so the absence of both proves nothing.
 */
export function isOrdered(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  // A page cannot send it to another site without permission; a password that a browser stores (Basic) is sent by the browser
  // itself.
  if (/^bearer /i.test(headers.authorization ?? "")) return true;
  const agent = headers["user-agent"] ?? "";
  return agent !== "" && !pagesAgent.test(agent) && !vitrineAgent.test(agent);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}
