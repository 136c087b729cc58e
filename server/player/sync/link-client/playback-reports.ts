// What was shown, told the service: the oldest first, many at a time, each kept there exactly once however often it is sent.

import { setImmediate } from "node:timers/promises";
import {
  keptPlaybacksLink,
  linkPaths,
  maxPlaybacks,
  playbacksLink,
  type LinkPlayback,
} from "../../../contract/link/link.ts";
import type { Log } from "../../../platform/log.ts";
import type { LinkRows, LoggedPlayback } from "./link-rows.ts";
import { reasonIn, type Send } from "../remote/send-http.ts";
import { RemoteError } from "../remote/remote-error.ts";

export interface PlaybackReportsOptions {
  readonly connectionId: string;
  readonly rows: Pick<LinkRows, "playbacks">;
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
const endedAfterMs = 11 * 60_000;

/** Sends all there is; throws a RemoteError and goes on from there the next time. */
export async function sendPlaybacks(
  options: PlaybackReportsOptions,
): Promise<void> {
  const { connectionId, rows, log } = options;
  let most = maxPlaybacks;
  for (;;) {
    const endedBefore = options.now() - endedAfterMs;
    const {
      playbacks: logged,
      upTo,
      isAll,
    } = rows.playbacks(connectionId, options.sent(), most, endedBefore);
    const playbacks = logged
      .map((play) => playbackOf(connectionId, play))
      .filter((play) => play !== null);
    const why =
      playbacks.length === 0 ? null : await refusalOf(playbacks, options);
    if (why !== null) {
      // One that makes no sense refuses its whole batch: it is found by halving, and left out (L-12).
      if (playbacks.length > 1) {
        most = Math.ceil(playbacks.length / 2);
        continue;
      }
      log.warn("link.playback-rejected", { play: playbacks[0]?.id, why });
    }
    if (upTo > options.sent()) options.noteSent(upTo);
    if (isAll) return;
    // Between two looks at very many rows of others nobody waits.
    if (playbacks.length === 0) await setImmediate();
    most = Math.min(maxPlaybacks, most * 2);
  }
}

/** Null: they are kept. Throws for whatever says nothing of them: what is in between may answer anything (V2-348). */
async function refusalOf(
  playbacks: readonly LinkPlayback[],
  { send, refuse }: PlaybackReportsOptions,
): Promise<string | null> {
  const answer = await send("POST", linkPaths.playbacks, {
    json: { playbacks },
  });
  const { status, json } = answer;
  if (status === 200 && keptPlaybacksLink.safeParse(json).success) return null;
  refuse(answer);
  const isTooMuch = status === 413 && playbacks.length > 1;
  if (isTooMuch || (status === 400 && namesPlaybacks(json)))
    return reasonIn(answer);
  throw status >= 400
    ? new RemoteError("refused", reasonIn(answer))
    : new RemoteError(
        "malformed",
        "The service's answer to playbacks makes no sense.",
      );
}

/** As the service alone does: `{"playbacks.3.ended_at": ["sentence"]}`. */
function namesPlaybacks(json: unknown): boolean {
  return (
    typeof json === "object" &&
    json !== null &&
    Object.keys(json).some((name) => /^playbacks(\.|$)/.test(name))
  );
}

/** In the cloud's identifiers; null for what the service would refuse as no playback at all. */
function playbackOf(
  connectionId: string,
  play: LoggedPlayback,
): LinkPlayback | null {
  const prefix = `${connectionId}-`;
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
