// Downloads one file together with the other players of the site: from one of them while it has or receives the file, and from its
// source when it is this player's turn (V2-823).

import type { Aside } from "../../../platform/files/partial-file.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { SiteDownload, SiteSource } from "../site/site-sharing.ts";

export type PlayerSource = Extract<SiteSource, { kind: "follow" }>;

/** Both throw WrongBytes, NotGiven or a RemoteError. */
interface Transfers {
  readonly fromSource: () => Promise<Aside>;
  readonly fromPlayer: (player: PlayerSource) => Promise<Aside>;
  /** All bytes were there, and they were not those of the file. */
  readonly isWrong: (error: unknown) => boolean;
  /** The server responded with something other than the bytes. */
  readonly isNotGiven: (error: unknown) => boolean;
}

/** Throws the error of the file's source, or of this player's own disk. */
export async function shareDownload(
  shared: SiteDownload,
  signal: AbortSignal,
  transfers: Transfers,
): Promise<Aside> {
  const { isWrong, isNotGiven } = transfers;
  for (;;) {
    const source = await shared.next(signal);
    try {
      return source.kind === "fetch"
        ? await transfers.fromSource()
        : await transfers.fromPlayer(source);
    } catch (error) {
      signal.throwIfAborted();
      const isOfPlayer = source.kind === "follow";
      // What the source sends is judged without bytes of others.
      if (isWrong(error) && (isOfPlayer || shared.hasForeignBytes()))
        shared.mismatched();
      else if (isOfPlayer && (isNotGiven(error) || isOfConnection(error)))
        shared.followEnded(isNotGiven(error) || hasStatus(error));
      else throw error;
    }
  }
}

function isOfConnection(error: unknown): boolean {
  return (
    error instanceof RemoteError &&
    error.code !== "no-space" &&
    error.code !== "read-only"
  );
}

function hasStatus(error: unknown): boolean {
  return error instanceof RemoteError && error.status !== null;
}
