// Addresses as people type them. Pure.

/** `example.org` is what people type; the web's own scheme is what they mean. */
export function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

/** The interfaces of a service lie below its address, which is what is asked for; copied is often one of them. */
const interfacePath = /(?<=[^/])(\/api)?\/(v4\.1|v4|v3)\/*$/;

/** Of a content service: `box:8080/api/v3` is `https://box:8080`. */
export function serviceAddressOf(typed: string): string {
  return withScheme(typed).replace(interfacePath, "");
}
