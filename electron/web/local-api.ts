// Keeps every page away from the player's own interface: by whatever address or name, after a redirect, from a worker too.

import type { Session } from "electron";
import { isIP } from "node:net";
import {
  isLocalAddress,
  localNames,
} from "../../server/platform/process/addresses.ts";

/** The port that the player's interface listens on, or will; null while nobody knows. */
export type LocalApiPort = () => number | null;

/** Answers the addresses behind a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** No request of this session is sent to the player's own interface: each is judged, and again after a redirect (V2-451). */
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
        // What has no address is not reached: it fails as it would have.
        () => proceed({}),
      );
    },
  );
}

/** Whether what listens on this machine would be asked. A name that is not this machine's may be made to lead here. */
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

/** Null for what is no address. */
export function portOf(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const { protocol, port } = asHttp(address);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function asHttp(address: string): URL {
  return new URL(address.replace(/^ws(s?):/i, "http$1:"));
}
