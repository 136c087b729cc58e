// Signed, short-lived addresses of asset files, resolved whenever a row is read (V4-230).

import { createHmac, hash, randomUUID, timingSafeEqual } from "node:crypto";

/** A row stores what does not change; readers get the address that is valid now. */
export const inRows = "vitrine-file:";
/** Marks the values of address columns until they are resolved; it cannot be guessed, so no client's text contains it. */
export const mark = randomUUID();

const inAnswers = `${mark}${inRows}`;

export type FilePartName = "thumbnail";

/** The stored form. */
export function addressOfFile(assetId: string, part?: FilePartName): string {
  return `${inRows}${assetId}${part ? `/${part}` : ""}`;
}

export interface Addresses {
  /** The text of an answer with every marked file address resolved for this team, at this base address. */
  present(text: string, base: () => string, teamId: string): string;
  /** The same for one of many pieces, uncached: a whole long list is rarely requested again soon. */
  presentPiece: Addresses["present"];
  /** The team an address was issued for, while it is valid; otherwise null. */
  teamOf(assetId: string, part: string, query: SignedQuery): string | null;
}

export interface SignedQuery {
  readonly team?: unknown;
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** An address is valid for one to two hours, and stays the same for an hour so that it can be cached. */
const windowSeconds = 3600;
/** Bounds the cache against requests with invented teams. */
const maxKeys = 1000;
/** For all teams together: a few megabytes. */
const maxKept = 20_000;

interface TeamKey {
  readonly teamId: string;
  readonly expires: number;
  readonly key: string;
  /** The part after `/files/`, by stored place. */
  readonly madeOut: Map<string, string>;
}

const file = /[0-7][0-9A-HJKMNP-TV-Z]{25}(?:\/thumbnail\b)?/y;

export function createAddresses(secret: string, now: () => number): Addresses {
  // Keys of this hour and the last: consecutive answers are resolved for the same few teams.
  const ofTeams = new Map<string, TeamKey>();
  let latest: TeamKey | undefined;
  let cachedCount = 0;

  function forget(): void {
    ofTeams.clear();
    latest = undefined;
    cachedCount = 0;
  }

  /** Valid for one team until one moment. */
  function keyFor(teamId: string, expires: number): TeamKey {
    if (latest?.teamId === teamId && latest.expires === expires) return latest;
    return (latest = keyKept(teamId, expires));
  }

  function keyKept(teamId: string, expires: number): TeamKey {
    const signed = `${teamId}\n${expires}`;
    const cached = ofTeams.get(signed);
    if (cached) return cached;
    const key = createHmac("sha256", secret).update(signed).digest("hex");
    if (ofTeams.size >= maxKeys) forget();
    const teamKey = { teamId, expires, key, madeOut: new Map() };
    ofTeams.set(signed, teamKey);
    return teamKey;
  }

  // Keyed on both sides, so that nothing can be appended to what was signed.
  const sign = ({ key }: TeamKey, assetId: string, part: string): string =>
    hash("sha256", `${key}\n${assetId}\n${part}\n${key}`, "base64url");

  function makeOut(of: TeamKey, place: string): string {
    const [assetId = "", part = ""] = place.split("/");
    return `${place}?team=${of.teamId}&expires=${of.expires}&signature=${sign(of, assetId, part)}`;
  }

  /** Players request the same few assets repeatedly. */
  function makeOutOnce(of: TeamKey, place: string): string {
    const cached = of.madeOut.get(place);
    if (cached !== undefined) return cached;
    // A copy: a substring would keep the whole answer in memory.
    const placeText = Buffer.from(place).toString();
    const address = makeOut(of, placeText);
    if (cachedCount >= maxKept) forget();
    cachedCount += 1;
    of.madeOut.set(placeText, address);
    return address;
  }

  const presenting =
    (behind: typeof makeOut): Addresses["present"] =>
    (text, base, teamId) => {
      let at = text.indexOf(inAnswers);
      if (at < 0) return text;
      const expires =
        (Math.floor(now() / 1000 / windowSeconds) + 2) * windowSeconds;
      const key = keyFor(teamId, expires);
      const start = `${base()}/files/`;
      let presented = "";
      let done = 0;
      for (; at >= 0; at = text.indexOf(inAnswers, at + 1)) {
        const from = at + inAnswers.length;
        file.lastIndex = from;
        if (!file.test(text)) continue;
        const place = text.slice(from, file.lastIndex);
        presented += text.slice(done, at) + start + behind(key, place);
        done = from + place.length;
      }
      return presented + text.slice(done);
    };

  return {
    present: presenting(makeOutOnce),
    presentPiece: presenting(makeOut),
    teamOf: (assetId, part, { team, expires, signature }) => {
      if (typeof team !== "string" || typeof signature !== "string")
        return null;
      const until = Number(expires);
      const seconds = now() / 1000;
      // A validity longer than any this service issues was forged with knowledge of the secret.
      const isOurs = until > seconds && until <= seconds + 2 * windowSeconds;
      if (!Number.isSafeInteger(until) || !isOurs) return null;
      const right = Buffer.from(sign(keyFor(team, until), assetId, part));
      const given = Buffer.from(signature);
      return right.length === given.length && timingSafeEqual(right, given)
        ? team
        : null;
    },
  };
}
