// Random identifiers, also where the page is not a secure context, such as at the address of a player in the network.

/** 32 hexadecimal digits. `crypto.randomUUID` exists over HTTPS and on loopback only. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
