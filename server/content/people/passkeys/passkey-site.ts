// For which site passkeys are made: browsers make them for a host name, and only with HTTPS or on this machine (V3-212).

import { isIP } from "node:net";

export interface PasskeySite {
  /** The host name to which a passkey belongs. */
  readonly id: string;
  /** Where the page that uses it must come from. */
  readonly origin: string;
}

/** `base`: the service's own address, null if it does not know one that can be trusted. Null: no browser makes passkeys there. */
export function passkeySite(base: string | null): PasskeySite | null {
  if (base === null) return null;
  const { hostname, origin, protocol } = new URL(base);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  const isName = isIP(hostname) === 0 && !hostname.startsWith("[");
  if (!isName || (protocol !== "https:" && !isLocal)) return null;
  return { id: hostname, origin };
}
