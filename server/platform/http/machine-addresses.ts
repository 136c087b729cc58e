// Network names and addresses of this machine.

import { isIPv4 } from "node:net";
import os from "node:os";

/** Whether only programs on this machine can reach a server on this host. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    (isIPv4(host) && host.startsWith("127."))
  );
}

/** Names under which others may address this machine, in lower case. */
export function localNames(): readonly string[] {
  const name = os.hostname().toLowerCase();
  const short = name.split(".")[0] ?? name;
  // The last is the name of a machine on a network without a name server (mDNS).
  return [...new Set([name, short, `${short}.local`])];
}

/** Whether a connection to this address, in the notation of DNS or of an interface, ends on this machine. */
export function isLocalAddress(address: string): boolean {
  const plain = withoutMapping(address);
  return (
    isLoopback(plain) ||
    isNowhere(plain) ||
    Object.values(os.networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .some((entry) => entry.address === plain)
  );
}

/** An IPv4 address in IPv6 notation (`::ffff:7f00:1`), converted to IPv4 notation. */
function withoutMapping(address: string): string {
  const plain = address.toLowerCase().replace(/%.*/s, "");
  const [, dotted, high, low] =
    /^::ffff:(?:([\d.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(plain) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return plain;
  return [high, low]
    .map((part) => parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 0xff])
    .join(".");
}

/** Unspecified addresses: connecting to one of them, Linux connects to itself. */
function isNowhere(address: string): boolean {
  return address === "::" || (isIPv4(address) && address.startsWith("0."));
}

export interface NetworkAddress {
  readonly address: string;
  readonly mac: string;
}

/** Addresses by which others reach this machine, IPv4 first. */
export function networkAddresses(): readonly NetworkAddress[] {
  const all = Object.values(os.networkInterfaces())
    .flatMap((entries) => entries ?? [])
    // Link-local addresses mean nothing without the name of the interface.
    .filter(
      ({ internal, address }) => !internal && !address.startsWith("fe80:"),
    );
  return [
    ...all.filter(({ family }) => family === "IPv4"),
    ...all.filter(({ family }) => family === "IPv6"),
  ].map(({ address, mac }) => ({ address, mac }));
}

/** The base address to show to a person, for a server on this host. */
export function baseAddress(
  host: string,
  port: number,
  scheme: "http" | "https" = "http",
): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const reachable = isEverywhere
    ? (networkAddresses()[0]?.address ?? "127.0.0.1")
    : host;
  return `${scheme}://${hostInAddress(reachable)}:${port}`;
}

export function hostInAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
