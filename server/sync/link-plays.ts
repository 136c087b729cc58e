// What was shown, told the service: the oldest first, many at a time, each kept there exactly once however often it is sent.

import {
  keptPlaybacksLink,
  linkPaths,
  mostPlaybacks,
  playbacksLink,
  type LinkPlayback,
} from "../contract/link.ts";
import type { Log } from "../platform/log.ts";
import type { LinkRows, ShownPlay } from "./link-rows.ts";
import { reasonIn, type Send } from "./send-http.ts";
import { CloudTrouble } from "./trouble.ts";

export interface LinkPlaysOptions {
  readonly accountId: string;
  readonly rows: LinkRows;
  readonly send: Send;
  readonly now: () => number;
  readonly log: Log;
  /** The number of the last one that was dealt with. */
  readonly sent: () => number;
  readonly noteSent: (number: number) => void;
  /** Throws where the service no longer knows this screen. */
  readonly refuse: (answer: { readonly status: number }) => void;
}

/** What is on the glass is prolonged every ten minutes: what was not by then is over (V2-305). */
const settledAfterMs = 11 * 60_000;

/** Sends all there is; throws a CloudTrouble and goes on from there the next time. */
export async function sendPlays(options: LinkPlaysOptions): Promise<void> {
  const { accountId, rows, log } = options;
  let most = mostPlaybacks;
  for (;;) {
    const settled = options.now() - settledAfterMs;
    const { plays, upTo } = rows.plays(
      accountId,
      options.sent(),
      most,
      settled,
    );
    const told = plays
      .map((play) => playbackOf(accountId, play))
      .filter((play) => play !== null);
    const answer =
      told.length === 0 ? null : await sendBatch(options.send, told);
    if (answer?.isTaken === false) {
      options.refuse(answer);
      // One that makes no sense refuses its whole batch: it is found by halving, and left out (L-12).
      if (plays.length > 1) {
        most = Math.ceil(plays.length / 2);
        continue;
      }
      log.warn("link.play-refused", { play: plays[0]?.id, why: answer.why });
    }
    if (upTo > options.sent()) options.noteSent(upTo);
    if (plays.length < most && most === mostPlaybacks) return;
    most = Math.min(mostPlaybacks, most * 2);
  }
}

type Batch =
  | { readonly isTaken: true }
  | { readonly isTaken: false; readonly status: number; readonly why: string };

async function sendBatch(
  send: Send,
  playbacks: readonly LinkPlayback[],
): Promise<Batch> {
  const answer = await send("POST", linkPaths.playbacks, {
    json: { playbacks },
  });
  if (keptPlaybacksLink.safeParse(answer.json).success && answer.status === 200)
    return { isTaken: true };
  if (answer.status >= 400)
    return { isTaken: false, status: answer.status, why: reasonIn(answer) };
  throw new CloudTrouble(
    "malformed",
    "The service's answer to playbacks makes no sense.",
  );
}

/** In the cloud's identifiers; null for what the service would refuse as no playback at all. */
function playbackOf(accountId: string, play: ShownPlay): LinkPlayback | null {
  const prefix = `${accountId}-`;
  const remote = (id: string): string | null =>
    id.startsWith(prefix) ? id.slice(prefix.length) : null;
  const assetId = remote(play.assetId);
  if (assetId === null) return null;
  const one = {
    ...{ id: play.id, asset_id: assetId },
    playlist_id: play.playlistId === null ? null : remote(play.playlistId),
    started_at: new Date(play.startedAt).toISOString(),
    ended_at: new Date(Math.max(play.startedAt, play.endedAt)).toISOString(),
  };
  return playbacksLink.safeParse({ playbacks: [one] }).success ? one : null;
}
