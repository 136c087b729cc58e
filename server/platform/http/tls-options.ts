// The start flags of HTTPS: which of them are valid only together, and what they say.

import { resolve } from "node:path";
import type { TlsFiles } from "./tls-files.ts";

export interface TlsOptions {
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

export interface HttpsPortOptions extends TlsOptions {
  readonly httpsPort?: number | undefined;
}

/** Null if they are valid together. */
export function tlsComplaint({ tlsCert, tlsKey }: TlsOptions): string | null {
  return (tlsCert === undefined) === (tlsKey === undefined)
    ? null
    : "--tls-cert and --tls-key must be set together.";
}

/** Of a server whose HTTPS has a port of its own; null if they are valid together. */
export function httpsComplaint({
  apiPort,
  httpsPort,
  ...tls
}: HttpsPortOptions & { readonly apiPort: number }): string | null {
  const complaint = tlsComplaint(tls);
  if (complaint !== null) return complaint;
  if (tls.tlsCert !== undefined && httpsPort === undefined)
    return "--tls-cert and --tls-key require --https-port.";
  return httpsPort !== undefined && httpsPort !== 0 && httpsPort === apiPort
    ? "--https-port and --api-port must be different."
    : null;
}

/** How other devices reach the player's interface by HTTPS; undefined where they don't. */
export function httpsOf({
  httpsPort,
  tlsCert,
  tlsKey,
}: HttpsPortOptions):
  | { readonly port: number; readonly files: TlsFiles | null }
  | undefined {
  if (httpsPort === undefined) return undefined;
  const files =
    tlsCert === undefined || tlsKey === undefined
      ? null
      : { certFile: resolve(tlsCert), keyFile: resolve(tlsKey) };
  return { port: httpsPort, files };
}
