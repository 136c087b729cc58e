// TLS between programs that know the same secret: both prove it to each other in the handshake, without certificates and without
// looking at a clock, and what was recorded cannot be sent again. Works with OpenSSL and with Electron's BoringSSL.

import { constants } from "node:crypto";
import https from "node:https";
import type { TlsOptions } from "node:tls";

export interface PresharedKey {
  /** Sent unencrypted: it names the key. */
  readonly id: string;
  /** Hexadecimal digits. */
  readonly secret: string;
}

/** Forward secret, and authenticated; version 1.3 of TLS knows no keys given by the caller in Node. */
const tls = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

/** `secretOf`: null for a key that is not known or no longer accepted. */
export function presharedKeyServer(
  secretOf: (id: string) => string | null,
): TlsOptions {
  return {
    ...tls,
    // A resumed connection would skip the proof, even with a key that is no longer accepted.
    secureOptions: constants.SSL_OP_NO_TICKET,
    pskCallback: (_socket, id) => {
      const secret = secretOf(id);
      return secret === null ? null : Buffer.from(secret, "hex");
    },
  };
}

export function presharedKeyAgent(
  { id, secret }: PresharedKey,
  {
    idleMs,
    localAddress,
  }: { readonly idleMs: number; readonly localAddress: string | undefined },
): https.Agent {
  return new https.Agent({
    ...tls,
    ...{ keepAlive: true, timeout: idleMs, maxCachedSessions: 0 },
    ...(localAddress !== undefined && { localAddress }),
    // Any program that knows the secret is meant, whatever its name or address.
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk: Buffer.from(secret, "hex"), identity: id }),
  });
}
