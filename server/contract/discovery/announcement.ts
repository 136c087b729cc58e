// What players and content services announce to their network by DNS-SD, written and read: names of the services, and the
// values that go with them (V2-763, V2-764, L-57).

/** Names of at most 15 characters, as RFC 6763 requires. */
export const announcedTypes = {
  player: "_vitrine-player._tcp",
  content: "_vitrine-content._tcp",
} as const;

export type AnnouncedKind = keyof typeof announcedTypes;

export interface PlayerAnnouncement {
  readonly name: string;
  readonly version: string;
  /** Its screen shows the PIN of a pairing. */
  readonly isWaiting: boolean;
  /** Its port is for HTTPS. */
  readonly isTls: boolean;
}

export interface ContentAnnouncement {
  readonly name: string;
  readonly version: string;
  readonly isTls: boolean;
  /** Where clients reach it, if the operator has set that. */
  readonly publicUrl: string | null;
}

type Values = Readonly<Record<string, string>>;

export function playerValues(announced: PlayerAnnouncement): Values {
  return {
    ...common(announced),
    pairing: announced.isWaiting ? "waiting" : "none",
    tls: announced.isTls ? "1" : "0",
  };
}

export function contentValues(announced: ContentAnnouncement): Values {
  const url = announced.publicUrl;
  return {
    ...common(announced),
    tls: announced.isTls ? "1" : "0",
    // A longer one would not fit into its record.
    ...(url !== null && url.length <= maxUrlLength && { url }),
  };
}

function common({
  name,
  version,
}: Pick<PlayerAnnouncement, "name" | "version">): Values {
  return { v: "1", name: cleanName(name) ?? "Vitrine", version };
}

/** Values of a stranger, read from the network. */
export interface ReadValues {
  readonly name: string | null;
  readonly version: string | null;
  readonly isWaiting: boolean;
  readonly isTls: boolean;
  readonly publicUrl: string | null;
}

export function readValues(values: ReadonlyMap<string, string>): ReadValues {
  const version = values.get("version") ?? "";
  return {
    name: cleanName(values.get("name") ?? ""),
    version: /^[0-9a-z][0-9a-z.+-]{0,29}$/i.test(version) ? version : null,
    isWaiting: values.get("pairing") === "waiting",
    isTls: values.get("tls") === "1",
    publicUrl: publicUrlFrom(values.get("url") ?? ""),
  };
}

/** In four bytes each, they fit into a record with their key. */
const maxNameLetters = 60;
const maxUrlLength = 200;
/** Read further than this, nothing could be left of a name that is worth it. */
const maxRawLetters = 500;

/**
 * As it can be shown next to other texts: without control, formatting and unassigned characters (among them those that change
 * the direction of what follows), on one line, and without piles of accents. Null where nothing is left.
 */
export function cleanName(text: string): string | null {
  const plain = text
    .slice(0, maxRawLetters)
    .replace(/[\p{Z}\s]+/gu, " ")
    .replace(/\p{C}/gu, "")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/ {2,}/g, " ")
    .trim();
  const name = [...plain].slice(0, maxNameLetters).join("").trim();
  return /[\p{L}\p{N}]/u.test(name) ? name : null;
}

/** A host name or a private IPv4 address, without credentials, query or anything that could be read as another host. */
function publicUrlFrom(text: string): string | null {
  if (text.length > maxUrlLength) return null;
  const [, host] =
    /^https?:\/\/([a-z0-9.-]{1,150})(?::\d{1,5})?(?:\/[\w.~/-]*)?$/i.exec(
      text,
    ) ?? [];
  if (host === undefined) return null;
  if (/^[\d.]+$/.test(host)) return isNearAddress(host) ? text : null;
  return isHostName(host) ? text : null;
}

function isHostName(host: string): boolean {
  const labels = host.toLowerCase().split(".");
  // A last label of digits, or after 0x, is one of the spellings of an IPv4 address.
  return (
    labels.every((label) =>
      /^[a-z0-9]$|^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/.test(label),
    ) && !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")
  );
}

/** Whether this is an IPv4 address of a private network or one that a device gave itself (link-local). */
export function isNearAddress(address: string): boolean {
  const parts = address.split(".");
  if (parts.length !== 4) return false;
  if (!parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return false;
  const [a = 256, b = 256, c = 256, d = 256] = parts.map(Number);
  if (Math.max(a, b, c, d) > 255) return false;
  return (
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254)
  );
}
