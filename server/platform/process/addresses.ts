// Where this machine can be found: its own names and addresses.

import { isIPv4 } from "node:net";
import os from "node:os";

/** Whether only programs of this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    (isIPv4(host) && host.startsWith("127."))
  );
}

/** The names under which others may ask for this machine, in lower case. */
export function localNames(): readonly string[] {
  const name = os.hostname().toLowerCase();
  const short = name.split(".")[0] ?? name;
  // The last is how a machine is called on a network without a name server.
  return [...new Set([name, short, `${short}.local`])];
}

/** Whether a connection to this address, as DNS or an interface spells it, ends on this machine. */
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

/** An address of the fourth version as the sixth spells it (`::ffff:7f00:1`), in the spelling of the fourth. */
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

/** Addresses that mean no machine: connecting to one of them, Linux connects to itself. */
function isNowhere(address: string): boolean {
  return address === "::" || (isIPv4(address) && address.startsWith("0."));
}

export interface NetworkAddress {
  readonly address: string;
  readonly mac: string;
}

/** The addresses by which others reach this machine, the fourth version of the protocol first. */
export function networkAddresses(): readonly NetworkAddress[] {
  const all = Object.values(os.networkInterfaces())
    .flatMap((entries) => entries ?? [])
    // Addresses of one cable segment mean nothing without the name of the port.
    .filter(
      ({ internal, address }) => !internal && !address.startsWith("fe80:"),
    );
  return [
    ...all.filter(({ family }) => family === "IPv4"),
    ...all.filter(({ family }) => family === "IPv6"),
  ].map(({ address, mac }) => ({ address, mac }));
}

/** The base address to tell a person, for what listens on this host. */
export function baseAddress(host: string, port: number): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const reachable = isEverywhere
    ? (networkAddresses()[0]?.address ?? "127.0.0.1")
    : host;
  return `http://${hostInAddress(reachable)}:${port}`;
}

export function hostInAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
