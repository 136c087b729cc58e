// Normalises addresses as people type them. Pure.

/** People type `example.org` and mean the web's own scheme. */
export function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

/** A service's interfaces lie below its address, which is what is needed; people often copy one of those instead. */
const interfacePath = /(?<=[^/])(\/api)?\/(v4\.1|v4|v3)\/*$/;

/** Address of a content service: `box:8080/api/v3` is `https://box:8080`. */
export function serviceAddressOf(typed: string): string {
  return withScheme(typed).replace(interfacePath, "");
}
