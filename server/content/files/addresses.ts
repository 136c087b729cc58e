// Where a client finds the bytes of an asset: an address that is signed for a short time whenever a row is read (V4-230).

import { createHmac, hash, randomUUID, timingSafeEqual } from "node:crypto";

/** A row keeps what does not change; whoever reads it gets the address that holds now. */
export const inRows = "vitrine-file:";
/** Stands before it on the way out of a column of addresses; nobody can guess it, so no text of a client has it. */
export const mark = randomUUID();

const inAnswers = `${mark}${inRows}`;

export type FilePartName = "thumbnail";

/** As it stands in a row. */
export function addressOfFile(assetId: string, part?: FilePartName): string {
  return `${inRows}${assetId}${part ? `/${part}` : ""}`;
}

export interface Addresses {
  /** An answer's text with every marked address of a file made out for this team, at this base address. */
  present(text: string, base: () => string, teamId: string): string;
  /** The same of one of many pieces: nobody asks for a whole long list again soon. */
  presentPiece: Addresses["present"];
  /** The team that an address was made out for, while it holds; null else. */
  teamOf(assetId: string, part: string, query: SignedQuery): string | null;
}

export interface SignedQuery {
  readonly team?: unknown;
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** An address holds for one to two hours: the same one for an hour, so that it can be cached. */
const windowSeconds = 3600;
/** Whoever makes up teams fills it with nothing of use to them. */
const maxKeys = 1000;
/** Of all teams together: some megabytes. */
const maxKept = 20_000;

interface TeamKey {
  readonly teamId: string;
  readonly expires: number;
  readonly key: string;
  /** What comes behind `/files/`, by where a file is. */
  readonly madeOut: Map<string, string>;
}

const file = /[0-7][0-9A-HJKMNP-TV-Z]{25}(?:\/thumbnail\b)?/y;

export function createAddresses(secret: string, now: () => number): Addresses {
  // Of this hour and the last: answer after answer is made out for the same few teams.
  const ofTeams = new Map<string, TeamKey>();
  let latest: TeamKey | undefined;
  let kept = 0;

  function forget(): void {
    ofTeams.clear();
    latest = undefined;
    kept = 0;
  }

  /** For one team until one moment. */
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
    const made = { teamId, expires, key, madeOut: new Map() };
    ofTeams.set(signed, made);
    return made;
  }

  // The key stands on both sides, so that nothing can be appended to what was signed.
  const sign = ({ key }: TeamKey, assetId: string, part: string): string =>
    hash("sha256", `${key}\n${assetId}\n${part}\n${key}`, "base64url");

  function makeOut(of: TeamKey, place: string): string {
    const [assetId = "", part = ""] = place.split("/");
    return `${place}?team=${of.teamId}&expires=${of.expires}&signature=${sign(of, assetId, part)}`;
  }

  /** Players look at the same few assets again and again. */
  function makeOutOnce(of: TeamKey, place: string): string {
    const cached = of.madeOut.get(place);
    if (cached !== undefined) return cached;
    // A text of its own, and no part of the whole answer that would be kept with it.
    const own = Buffer.from(place).toString();
    const made = makeOut(of, own);
    if (kept >= maxKept) forget();
    kept += 1;
    of.madeOut.set(own, made);
    return made;
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
      // One that holds for longer than any we make was made by somebody who knows the secret.
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
