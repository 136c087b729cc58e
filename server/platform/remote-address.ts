// Remote addresses that an asset can be shown from.

const schemes = new Set(["http:", "https:", "rtsp:"]);

/** An http, https or rtsp address with a host, in any notation; null for anything else. */
export function addressOf(text: string): URL | null {
  const address = URL.canParse(text) ? new URL(text) : null;
  return address && schemes.has(address.protocol) && address.hostname !== ""
    ? address
    : null;
}

/** The same in normal form: scheme, two slashes, host, and nothing that one URL parser drops and another keeps (V2-17). */
export function plainAddressOf(text: string): URL | null {
  return /^[a-z]+:\/\/[^/?#\\\s]/i.test(text) && !/\p{Cc}/u.test(text)
    ? addressOf(text)
    : null;
}
