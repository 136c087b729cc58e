// Expiry date of a server's certificate, read without trusting it.

import { connect } from "node:tls";

/** Milliseconds since 1970; null when it cannot be read in time. */
export function certificateEndOf(
  address: URL,
  silenceMs: number,
): Promise<number | null> {
  return new Promise((resolve) => {
    const host = address.hostname.replace(/^\[|\]$/g, "");
    const socket = connect({
      ...{ host, port: Number(address.port) || 443 },
      // Nothing is sent to the server, and nothing it sends is trusted.
      rejectUnauthorized: false,
    });
    const end = (moment: number | null): void => {
      socket.destroy();
      resolve(moment);
    };
    socket.setTimeout(silenceMs, () => end(null));
    socket.on("error", () => end(null));
    socket.once("secureConnect", () => {
      const moment = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isFinite(moment) ? moment : null);
    });
  });
}
