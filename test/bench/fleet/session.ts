// One simulated player: the real link client over a stage that shows and verifies everything at once.

import { systemClock } from "../../../server/platform/clock.ts";
import { openWebSocket } from "../../../server/platform/http/web-socket.ts";
import { createLog } from "../../../server/platform/log.ts";
import { connectionDefaults } from "../../../server/core/sync-plan/sync-state.ts";
import type { ShowingStatus } from "../../../server/player/playback/showing-status.ts";
import type { LinkRows } from "../../../server/player/sync/link-client/link-rows.ts";
import {
  createLinkSession,
  type LinkSession,
} from "../../../server/player/sync/link-client/link-session.ts";
import type { LinkedPlayback } from "../../../server/player/sync/link-client/linked-playback.ts";
import { createSend } from "../../../server/player/sync/remote/send-http.ts";

export interface SessionOptions {
  readonly baseUrl: string;
  readonly credential: string;
  readonly screenId: string;
  /** The service has said that there is something new. */
  readonly onNews: () => void;
  readonly onSocket: (isOpen: boolean) => void;
}

const log = createLog({ toStandardOutput: false });

export function startSession(options: SessionOptions): LinkSession {
  const { baseUrl, credential, screenId } = options;
  const authorization = `Bearer ${credential}`;
  const stopped = new AbortController();
  return createLinkSession({
    serviceName: () => "Bench",
    connection: {
      ...connectionDefaults,
      ...{ id: "bench", baseUrl, name: "Bench", screenId },
      ...{ kind: "screen", tokenKept: "file", tokensGiven: 1 },
    },
    send: createSend(
      { baseUrl, authorization, isCertificateSkipped: false, proxyUrl: null },
      systemClock.now,
      stopped.signal,
    ),
    connect: async (path, socket) => {
      const opened = await openWebSocket(new URL(baseUrl + path), {
        ...socket,
        headers: { Authorization: authorization },
        ...{ verifyTls: true, proxy: null },
        onClose: (code) => {
          options.onSocket(false);
          socket.onClose(code);
        },
      });
      options.onSocket(true);
      return opened;
    },
    ...{ rows: rowsInMemory(), clock: systemClock, random: Math.random, log },
    facts: () => ({ software_version: "Vitrine bench" }),
    playerName: () => "Bench",
    playback: simulatedPlayback(),
    displays: () => [
      { width: 1920, height: 1080, rotation: 0, is_playback: true },
    ],
    status: () => undefined,
    requestPoll: options.onNews,
    ...{ actions: {}, sharing: null, onEnded: () => undefined },
  });
}

function rowsInMemory(): LinkRows {
  let memory: object | null = null;
  return {
    ...{ pairing: () => null, savePairing: () => undefined },
    memory: () => memory,
    saveMemory: (_id, value) => {
      memory = value;
    },
    ...{ connections: () => [], forget: () => undefined },
    playbacks: (_id, after) => ({ playbacks: [], upTo: after, isAll: true }),
    playbacksAfter: () => 0,
  };
}

function simulatedPlayback(): LinkedPlayback {
  let listener = (): void => undefined;
  let count = 0;
  let sinceMs = Date.now();
  const showing = (): ShowingStatus => {
    const id = `showing-${count}`;
    return {
      showing: {
        ...{ id, assetId: "bench-a", name: `Item ${count}` },
        content: { kind: "text", text: "" },
        ...{ transition: "cut", durationSeconds: 10 },
      },
      ...{ reason: "schedule", playlistId: null, takeoverId: null },
      ...{ sinceMs, untilMs: null, coveredSinceMs: null },
      verdict: {
        ...{ showingId: id, verdict: "verified", steady: 0 },
        ...{ at: Date.now(), since: sinceMs },
      },
    };
  };
  return {
    now: () => ({
      showing: showing(),
      ...{ playlistName: null, nextName: null, pausedUntilMs: null },
      ...{ isDark: false, unplayable: [] },
    }),
    explanation: () => "It is due.",
    onChanged: (given) => {
      listener = given;
      return () => undefined;
    },
    hasVerification: true,
    storage: async () => null,
    ...{ hasAsset: () => true, assetName: () => "Item" },
    step: () => {
      count += 1;
      sinceMs = Date.now();
      queueMicrotask(() => listener());
    },
    show: () => undefined,
    takeOver: () => "takeover",
    endTakeover: () => false,
    ...{ takeoverId: () => null, takeoverProblem: () => null },
  };
}
