// A player's side of the link over a real socket: registers, is claimed by a team, and reports what a test needs.

import {
  newsLink,
  registeredLink,
  type HeartbeatLink,
  type LinkPlayback,
  type NewsLink,
} from "../../../server/contract/link/link.ts";
import { expect, vi } from "vitest";
import type { ClientV3 } from "./each-v3.ts";

export interface LinkedPlayer {
  readonly pin: string;
  readonly credential: string;
  readonly playerId: string;
  request(method: string, path: string, body?: unknown): Promise<Response>;
  beat(body?: Partial<HeartbeatLink>): Promise<NewsLink>;
  news(query: string): Promise<NewsLink>;
  send(playbacks: readonly Partial<LinkPlayback>[]): Promise<Response>;
}

/** Unclaimed, with a pin. */
export async function registerPlayer(
  address: string,
  facts: object = {},
): Promise<LinkedPlayer> {
  const answer = await fetch(`${address}/link/v1/players`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ facts }),
  });
  const { credential, pin, player_id } = registeredLink.parse(
    await answer.json(),
  );
  const request: LinkedPlayer["request"] = (method, path, body) =>
    fetch(`${address}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${credential}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  const newsFrom = async (of: Promise<Response>): Promise<NewsLink> => {
    const response = await of;
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${text}`);
    return newsLink.parse(JSON.parse(text));
  };
  return {
    ...{ pin, credential, request, playerId: player_id },
    beat: (body) =>
      newsFrom(
        request("POST", "/link/v1/heartbeat", { sync: "in-sync", ...body }),
      ),
    news: (query) => newsFrom(request("GET", `/link/v1/news?${query}`)),
    send: (playbacks) => request("POST", "/link/v1/playbacks", { playbacks }),
  };
}

export interface ClaimedPlayer extends LinkedPlayer {
  readonly screenId: string;
}

export async function claimedPlayer(
  client: ClientV3,
  name = "Window",
): Promise<ClaimedPlayer> {
  const player = await registerPlayer(client.address);
  const { id } = await client.make("/screens/", { pin: player.pin, name });
  return { ...player, screenId: id as string };
}

let played = 0;

/** A playback of ten seconds, with an id of its own. */
export function playbackOf(
  asset_id: string,
  more: Partial<LinkPlayback> = {},
): LinkPlayback {
  const started_at = more.started_at ?? "2026-05-01T10:00:00.000Z";
  const ended_at = new Date(Date.parse(started_at) + 10_000).toISOString();
  return {
    ...{ id: `play-${(played += 1)}`, asset_id, playlist_id: null },
    ...{ started_at, ended_at, ...more },
  };
}

/** The revision once the latest writes have been notified. */
export async function stableRevision(
  player: Pick<LinkedPlayer, "news" | "beat">,
): Promise<string> {
  let { revision } = await player.news("");
  await vi.waitFor(async () => {
    const before = revision;
    await player.news(`revision=${before}&wait=0.3`);
    // Also with a slow database: pending notifications were sent to it long before this.
    ({ revision } = await player.beat());
    expect(revision).toBe(before);
  });
  return revision;
}
