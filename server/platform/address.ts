// Addresses outside that an asset can be shown from.

const schemes = new Set(["http:", "https:", "rtsp:"]);

/** An http, https or rtsp address of some host, however it is written down; null for anything else. */
export function addressOf(text: string): URL | null {
  const address = URL.canParse(text) ? new URL(text) : null;
  return address && schemes.has(address.protocol) && address.hostname !== ""
    ? address
    : null;
}

/** The same, written out: scheme, two slashes, host, and nothing that one reader of addresses leaves out and another does not (V2-17). */
export function plainAddressOf(text: string): URL | null {
  return /^[a-z]+:\/\/[^/?#\\\s]/i.test(text) && !/\p{Cc}/u.test(text)
    ? addressOf(text)
    : null;
}
