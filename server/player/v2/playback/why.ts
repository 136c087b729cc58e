// why: what is due at any moment, in order and until when, and the reason for every candidate (V2-145, V2-146).

import type { RequestHandler } from "express";
import { whyQueryV2, type WhyV2 } from "../../../contract/v2/v2-screen.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type {
  Candidate,
  LineupEntry,
} from "../../../core/schedule/schedule.ts";
import type { Director } from "../../playback/director.ts";
import { zoneOf } from "../../time-zone.ts";
import type { Playlists } from "../../playlists/playlists.ts";
import { sentenceOf } from "../../playback/reasons.ts";
import type { SettingsStore } from "../../settings.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Takeovers } from "../../playback/takeover.ts";
import { parseQuery } from "../request/body.ts";
import { playlistToV2 } from "./now.ts";
import { takeoverToV2 } from "./takeover.ts";

export interface WhyOptions {
  readonly director: Director;
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly settings: SettingsStore;
  readonly clock: Clock;
}

export function sendWhy(options: WhyOptions): RequestHandler {
  return (request, response) => {
    const { at = options.clock.now() } = parseQuery(request, whyQueryV2);
    response.setHeader("Cache-Control", "no-store").json(whyAt(at, options));
  };
}

function whyAt(moment: number, options: WhyOptions): WhyV2 {
  const { director, playlists, settings } = options;
  const schedule = director.schedule();
  const { entries, changesAt } = schedule.lineupAt(moment);
  return {
    time: momentToText(moment),
    timezone: zoneOf(settings.all()),
    takeover: takeoverAt(moment, options),
    due: entries.map((entry) => dueToV2(entry, playlists)),
    until: changesAt === null ? null : momentToText(changesAt),
    candidates: schedule
      .candidatesAt(moment)
      .map((candidate) => candidateToV2(candidate, playlists)),
  };
}

function takeoverAt(moment: number, options: WhyOptions): WhyV2["takeover"] {
  const takeover = options.takeovers.current();
  if (!takeover || moment < takeover.startedAt) return null;
  const isOver = takeover.until !== null && moment >= takeover.until;
  return isOver ? null : takeoverToV2(takeover, options.director);
}

function dueToV2(
  { id, asset, playlistId, durationSeconds }: LineupEntry,
  playlists: Playlists,
): WhyV2["due"][number] {
  return {
    ...{ entry_id: id, asset_id: asset.id, name: asset.name },
    playlist: playlistToV2(playlistId, playlists),
    duration: durationSeconds ?? asset.durationSeconds,
  };
}

function candidateToV2(
  { kind, id, name, assetId, playlistId, reason }: Candidate,
  playlists: Playlists,
): WhyV2["candidates"][number] {
  return {
    ...{ kind, id, name, asset_id: assetId },
    playlist: playlistToV2(playlistId, playlists),
    reason: reason.code,
    explanation: sentenceOf(reason),
  };
}
