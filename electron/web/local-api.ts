// Blocks requests of pages to the player's own interface: by any address or name, after a redirect, and from workers too.

import type { Session } from "electron";
import { isIP } from "node:net";
import {
  isLocalAddress,
  localNames,
} from "../../server/platform/http/machine-addresses.ts";

/** The port on which the player's interface listens or will listen; null while it is unknown. */
export type LocalApiPort = () => number | null;

/** Resolves a name to its addresses. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/**
 * Rejects requests of this session to the player's own interface: each one is checked, and checked again after a redirect
 * (V2-451).
 */
export function refuseLocalApi(
  session: Session,
  localApiPort: LocalApiPort,
): void {
  const resolve: ResolveName = async (name) =>
    (await session.resolveHost(name)).endpoints.map(({ address }) => address);
  session.webRequest.onBeforeRequest(
    { urls: ["http://*/*", "https://*/*", "ws://*/*", "wss://*/*"] },
    ({ url }, proceed) => {
      const port = localApiPort();
      if (port === null || portOf(url) !== port) return proceed({});
      leadsHere(url, resolve).then(
        (cancel) => proceed({ cancel }),
        // A name without an address cannot be reached: the request fails as it would have.
        () => proceed({}),
      );
    },
  );
}

/** Whether the request would reach this machine. A foreign name may resolve to this machine. */
export async function leadsHere(
  address: string,
  resolve: ResolveName,
): Promise<boolean> {
  if (!URL.canParse(address)) return false;
  const host = asHttp(address)
    .hostname.replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (isIP(host) !== 0) return isLocalAddress(host);
  if (/(^|\.)localhost$/.test(host) || localNames().includes(host)) return true;
  return (await resolve(host)).some(isLocalAddress);
}

/** Port of an address; null when it is not an address. */
export function portOf(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const { protocol, port } = asHttp(address);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function asHttp(address: string): URL {
  return new URL(address.replace(/^ws(s?):/i, "http$1:"));
}
