// Finds out whether an address leads to this machine, by whatever address or name.

import { isIP } from "node:net";
import {
  isLocalAddress,
  localNames,
} from "../../server/platform/http/machine-addresses.ts";

/** Resolves a name to its addresses. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

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
