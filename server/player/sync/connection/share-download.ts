// Downloads one file together with the other players of the site: from one of them while it has or receives the file, and from its
// source when it is this player's turn (V2-823).

import type { Aside } from "../../../platform/files/partial-file.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { SiteDownload, SiteSource } from "../site/site-sharing.ts";

export type PlayerSource = Extract<SiteSource, { kind: "follow" }>;

/** Both throw WrongBytes, NotGiven or a RemoteError, and the second one UnexpectedHeadError, too. */
interface Transfers {
  readonly fromSource: () => Promise<Aside>;
  readonly fromPlayer: (player: PlayerSource) => Promise<Aside>;
  /** All bytes were there, and they were not those of the file. */
  readonly isWrong: (error: unknown) => boolean;
  /** The server responded with something other than the bytes. */
  readonly isNotGiven: (error: unknown) => boolean;
  /** What the player began to send can't be the rest of the file; nothing of it was written. */
  readonly isImplausible: (error: unknown) => boolean;
}

/** Throws the error of the file's source, or of this player's own disk. */
export async function shareDownload(
  shared: SiteDownload,
  signal: AbortSignal,
  transfers: Transfers,
): Promise<Aside> {
  const { isWrong } = transfers;
  for (;;) {
    const source = await shared.next(signal);
    try {
      return source.kind === "fetch"
        ? await transfers.fromSource()
        : await transfers.fromPlayer(source);
    } catch (error) {
      signal.throwIfAborted();
      const isOfPlayer = source.kind === "follow";
      const end = isOfPlayer ? endOf(error, transfers) : null;
      // What the source sends is judged without bytes of others.
      if (isWrong(error) && (isOfPlayer || shared.hasForeignBytes()))
        shared.mismatched();
      else if (end !== null) shared.followEnded(end);
      else throw error;
    }
  }
}

/** Null: it is no error of the player. */
function endOf(
  error: unknown,
  { isNotGiven, isImplausible }: Transfers,
): Parameters<SiteDownload["followEnded"]>[0] | null {
  if (isImplausible(error)) return "implausible";
  if (isNotGiven(error)) return "refused";
  if (
    !(error instanceof RemoteError) ||
    error.code === "no-space" ||
    error.code === "read-only"
  )
    return null;
  return error.status === null ? "died" : "ended";
}
