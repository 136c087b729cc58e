// Sends playback log entries to the content service: oldest first, in batches, each stored there exactly once however often it is
// sent.

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
import type { Send } from "../remote/send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";
import { RemoteError } from "../remote/remote-error.ts";

export interface PlaybackReportsOptions {
  readonly connectionId: string;
  readonly rows: Pick<LinkRows, "playbacks">;
  readonly send: Send;
  readonly now: () => number;
  readonly log: Log;
  /** Number of the last playback that was processed. */
  readonly sent: () => number;
  readonly noteSent: (number: number) => void;
  /** Throws if the service no longer knows this screen. */
  readonly refuse: (answer: { readonly status: number }) => void;
}

/** A running playback is extended every ten minutes: one that was not extended by then has ended (V2-305). */
const endedAfterMs = 11 * 60_000;

/** Sends everything there is; throws a RemoteError and resumes from there the next time. */
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
      // An invalid playback makes the service reject its whole batch: it is found by bisection and left out (L-12).
      if (playbacks.length > 1) {
        most = Math.ceil(playbacks.length / 2);
        continue;
      }
      log.warn("link.playback-rejected", { play: playbacks[0]?.id, why });
    }
    if (upTo > options.sent()) options.noteSent(upTo);
    if (isAll) return;
    // Yields between two reads over very many rows of other connections, so that nothing else is blocked.
    if (playbacks.length === 0) await setImmediate();
    most = Math.min(maxPlaybacks, most * 2);
  }
}

/**
 * Null: they are stored. Throws for responses that say nothing about the playbacks: an intermediary may answer anything (V2-348).
 */
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
        "The service's response to the playback report is not valid.",
      );
}

/** Only the service itself answers like this: `{"playbacks.3.ended_at": ["sentence"]}`. */
function namesPlaybacks(json: unknown): boolean {
  return (
    typeof json === "object" &&
    json !== null &&
    Object.keys(json).some((name) => /^playbacks(\.|$)/.test(name))
  );
}

/** With the service's identifiers; null for a playback that the service would reject as invalid. */
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
