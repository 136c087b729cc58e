// Which addresses of an OpenID Connect provider are used: HTTPS, and plain HTTP only on this machine (V3-206).

import { isLoopback } from "../../../platform/http/machine-addresses.ts";

export function isProviderAddress({ protocol, hostname }: URL): boolean {
  return (
    protocol === "https:" ||
    (protocol === "http:" &&
      (hostname === "localhost" ||
        isLoopback(hostname.replace(/^\[|\]$/g, ""))))
  );
}
