// Validates the address of a source: anywhere, or only on the public internet (V4-211).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { BlockList, isIPv4, isIPv6 } from "node:net";

const notPublic = new BlockList();
// This machine, private networks, link-local, test and multicast ranges: addresses no public server has.
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
// In IPv6 only 2000::/3 is assigned; it includes tunnels, documentation ranges and embedded IPv4.
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notPublic.addSubnet(network, bits, "ipv6");
const givenOut = new BlockList();
givenOut.addSubnet("2000::", 3, "ipv6");

/** `isPublicAddress("192.168.1.2")` is false, and so is anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*/s, "");
  if (isIPv4(plain)) return !notPublic.check(plain, "ipv4");
  return (
    isIPv6(plain) &&
    givenOut.check(plain, "ipv6") &&
    !notPublic.check(plain, "ipv6")
  );
}

/** The parsed address of a source, or why it is invalid. */
export function parseSource(
  text: string,
): { readonly address: URL } | { readonly problem: string } {
  const address = URL.canParse(text) ? new URL(text) : null;
  if (
    address === null ||
    !/^https?:$/.test(address.protocol) ||
    address.hostname === ""
  )
    return { problem: serviceSentences["source-scheme"] };
  if (text.length > maxAddressLength)
    return {
      problem: composeSentence(serviceSentences["source-address-long"], {
        limit: maxAddressLength,
      }),
    };
  return { address };
}

/** The longest that servers and proxies still accept. */
const maxAddressLength = assetLimits.addressLetters;
