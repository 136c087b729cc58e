// Address of an adopted player: which are accepted, and which the service never connects to (V3-117).

import { BlockList, isIP } from "node:net";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { fieldFailure } from "../../core/failure.ts";

const maxLength = 300;

/** Addresses that no player has, and that answer for the machine, the network or the cloud that the service runs in. */
const never = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const)
  never.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  // The metadata service of a cloud.
  ["fd00:ec2::254", 128],
] as const)
  never.addSubnet(network, bits, "ipv6");

const ownMachine = new BlockList();
ownMachine.addSubnet("127.0.0.0", 8, "ipv4");
ownMachine.addAddress("::1", "ipv6");

/**
 * Private networks are allowed: that is where players hang. This machine is, where its service is for this machine alone or may
 * reach everything.
 */
export function playerConnections(
  mayReachAll: boolean,
): (address: string) => boolean {
  return (address) => {
    const plain = address.replace(/%.*/s, "");
    const family = isIP(plain);
    if (family === 0) return false;
    const kind = family === 4 ? "ipv4" : "ipv6";
    if (never.check(plain, kind)) return false;
    return mayReachAll || !ownMachine.check(plain, kind);
  };
}

/** `192.168.1.20` → `http://192.168.1.20`. Throws a Failure under `address`. */
export function playerOrigin(
  typed: string,
  mayConnect: (address: string) => boolean,
): string {
  const text = typed.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `http://${text}`;
  const url = text.length > maxLength ? null : URL.parse(withScheme);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.password !== "" ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw fieldFailure(
      "address",
      composeSentence(serviceSentences["player-address"], {
        value: JSON.stringify(text.slice(0, 100)),
      }),
    );
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !mayConnect(host))
    throw fieldFailure("address", serviceSentences["player-address-reserved"]);
  return url.origin;
}
