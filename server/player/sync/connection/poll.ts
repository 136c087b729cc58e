// Polls one content service: opens the token, detects the API version, detects it again when a request is rejected, and finds out
// what the service has while nothing of it comes to this screen.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import {
  cloudVersions,
  type SyncConnection,
} from "../../../core/sync-plan/sync-state.ts";
import type { ConnectionMemory } from "../../../core/sync-connection/connection-state.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import {
  unusedReasonOf,
  type UnusedContent,
} from "../../../core/sync-plan/unused-content.ts";
import { bringsNothing } from "../../../core/sync-plan/desired-content.ts";
import { createCloudHttp, type CloudHttp } from "../remote/remote-http.ts";
import { RemoteError } from "../remote/remote-error.ts";
import {
  findNewerVersion,
  findVersion,
  findVersionAgain,
  type FoundVersion,
} from "../remote/find-version.ts";
import { createCloudV3 } from "../remote/v3.ts";
import { createCloudV4 } from "../remote/v4.ts";

/** A content service, whatever version it speaks: a poll of it returns null if nothing has changed since the last one. */
export type Cloud = ReturnType<typeof createCloudV4>;

export interface Poll {
  /** Null: nothing has changed since the last poll. Throws a RemoteError. */
  pollDesiredState(signal: AbortSignal): Promise<DesiredState | null>;
  /** What the service has while nothing of it comes to this screen (V2-741). */
  unused(): UnusedContent | null;
  /**
   * After each poll that the service answered; null: the desired state is unchanged. Returns whether `unused` has changed.
   */
  updateUnused(
    desired: DesiredState | null,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The next poll fetches fresh file addresses. */
  forgetAddresses(): void;
  /** Token, address or version may have changed. */
  startOver(): void;
}

export interface PollOptions {
  readonly connection: () => SyncConnection;
  readonly memory: () => ConnectionMemory;
  readonly noteVersion: (found: FoundVersion) => void;
  readonly token: () => Promise<string | null>;
  readonly now: () => number;
  readonly silenceMs: number;
  readonly onLargeAnswer: () => void;
}

/** An update of the service need not be noticed within a minute. */
const newerEveryMs = 3_600_000;

export function createPoll(options: PollOptions): Poll {
  let cloud: Cloud | null = null;
  /** Number of changes: work begun before the last one belongs to outdated settings. */
  let changes = 0;
  /** Signal of the poll that is under way. */
  let called = new AbortController().signal;
  /** When the service was last checked for a newer version; null: not since the start. */
  let newerCheckedAt: number | null = null;
  /** It rejected the request, in its own error format. */
  let isRejected = false;
  let lastDesired: DesiredState | null = null;
  let unused: UnusedContent | null = null;

  const httpOf = (connection: SyncConnection, token: string): CloudHttp =>
    createCloudHttp(
      {
        ...{ ...connection, token, silenceMs: options.silenceMs },
        onLargeAnswer: options.onLargeAnswer,
      },
      options.now,
      () => called,
    );

  async function open(): Promise<Cloud> {
    if (cloud) return cloud;
    const begun = changes;
    const connection = options.connection();
    const token = await options.token();
    // The settings have changed since the token was requested.
    if (begun !== changes) return open();
    if (token === null)
      throw new RemoteError("no-token", connectionSentences["token-missing"]);
    const http = httpOf(connection, token);
    const cached = cachedVersion(connection, options.memory());
    const current = await versionOf(http, connection, cached);
    if (begun !== changes) return open();
    if (current !== cached) {
      options.noteVersion(current);
      newerCheckedAt = options.now();
    }
    isRejected = false;
    const { baseUrl } = connection;
    const { version, prefix } = current;
    return (cloud =
      version === "v3"
        ? createCloudV3(http, baseUrl, prefix)
        : createCloudV4(http, baseUrl, prefix, version, token));
  }

  function versionOf(
    http: CloudHttp,
    { version }: SyncConnection,
    cached: FoundVersion | null,
  ): Promise<FoundVersion> | FoundVersion {
    if (!cached) return findVersion(http, version);
    return isRejected ? findVersionAgain(http, version, cached) : cached;
  }

  /** An updated service is polled in its newer version after a while (V2-542). */
  async function checkForNewerVersion(): Promise<void> {
    const connection = options.connection();
    const cached = cachedVersion(connection, options.memory());
    const checkedAt = newerCheckedAt;
    if (connection.version !== "auto" || !cached) return;
    if (cached.version === cloudVersions[0]) return;
    const now = options.now();
    if (checkedAt !== null && Math.abs(now - checkedAt) < newerEveryMs) return;
    const begun = changes;
    const token = await options.token();
    if (token === null || begun !== changes) return;
    newerCheckedAt = now;
    const newer = await findNewerVersion(httpOf(connection, token), cached);
    if (!newer || begun !== changes) return;
    options.noteVersion(newer);
    cloud = null;
  }

  async function pollOnce(): Promise<DesiredState | null> {
    await checkForNewerVersion();
    const polled = await open();
    const desired = await polled.pollDesiredState(options.connection());
    return polled === cloud ? desired : pollOnce();
  }

  /** Null if no poll reached the service. */
  async function countUnused({
    content,
    unreadablePlaylists = 0,
  }: DesiredState): Promise<UnusedContent | null> {
    const counts = await cloud?.countContent();
    if (!counts) return null;
    const of = [content, unreadablePlaylists, counts] as const;
    return { ...counts, reason: unusedReasonOf(options.connection(), ...of) };
  }

  return {
    pollDesiredState: async (signal) => {
      called = signal;
      try {
        return await pollOnce();
      } catch (error) {
        const code = error instanceof RemoteError ? error.code : null;
        if (code !== "unauthorized" && code !== "refused") throw error;
        // Once more, with the token as it is stored now and the version detected again.
        cloud = null;
        isRejected = code === "refused";
        return pollOnce();
      }
    },
    unused: () => unused,
    updateUnused: async (desired, signal) => {
      called = signal;
      lastDesired = desired ?? lastDesired;
      const before = unused;
      try {
        unused =
          lastDesired && bringsNothing(lastDesired.content)
            ? await countUnused(lastDesired)
            : null;
      } catch (error) {
        // It says nothing about the sync, and the next poll counts again.
        if (!(error instanceof RemoteError)) throw error;
      }
      return JSON.stringify(unused) !== JSON.stringify(before);
    },
    forgetAddresses: () => cloud?.forget(),
    startOver: () => {
      changes += 1;
      cloud = null;
    },
  };
}

function cachedVersion(
  connection: SyncConnection,
  { version, prefix }: ConnectionMemory,
): FoundVersion | null {
  if (version === null || prefix === null) return null;
  const isUsable =
    connection.version === "auto" || connection.version === version;
  return isUsable ? { version, prefix } : null;
}
