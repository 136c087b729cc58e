// One account's look at its cloud: the token opened, the version found, and found anew when it is refused.

import {
  cloudVersions,
  type SyncConnection,
} from "../../../core/sync-plan/sync-state.ts";
import type { StoredConnectionMemory } from "../credentials/connection-store.ts";
import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import type { Cloud } from "../remote/remote.ts";
import { createCloudHttp, type CloudHttp } from "../remote/remote-http.ts";
import { RemoteError } from "../remote/remote-error.ts";
import {
  cloudOf,
  findNewerVersion,
  findVersion,
  findVersionAgain,
  type FoundVersion,
} from "../remote/find-version.ts";

export interface Poll {
  /** Null: nothing has changed since the last look. Throws a RemoteError. */
  pollDesiredState(signal: AbortSignal): Promise<DesiredState | null>;
  /** The next look brings addresses that hold. */
  forgetAddresses(): void;
  /** Token, address or version may be others by now. */
  startOver(): void;
}

export interface PollOptions {
  readonly connection: () => SyncConnection;
  readonly memory: () => StoredConnectionMemory;
  readonly noteVersion: (found: FoundVersion) => void;
  readonly token: () => Promise<string | null>;
  readonly now: () => number;
  readonly silenceMs: number;
  readonly onLargeAnswer: () => void;
}

/** An update of a service is nothing that has to be noticed within the minute. */
const newerEveryMs = 3_600_000;

export function createPoll(options: PollOptions): Poll {
  let cloud: Cloud | null = null;
  /** How often that was said: what was begun before is of an account that is no more. */
  let changes = 0;
  /** Of the look that is under way. */
  let called = new AbortController().signal;
  /** When a newer version than the one in use was asked for last; null: not since the start. */
  let newerCheckedAt: number | null = null;
  /** What it was asked it refused, in its own shape. */
  let isRejected = false;

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
    // Where it belongs now is not where it was asked for.
    if (begun !== changes) return open();
    if (token === null)
      throw new RemoteError(
        "no-token",
        "The token of this account is not on this machine: give it again.",
      );
    const http = httpOf(connection, token);
    const cached = cachedVersion(connection, options.memory());
    const found = await versionOf(http, connection, cached);
    if (begun !== changes) return open();
    if (found !== cached) {
      options.noteVersion(found);
      newerCheckedAt = options.now();
    }
    isRejected = false;
    return (cloud = cloudOf(found, http, connection.baseUrl, token));
  }

  function versionOf(
    http: CloudHttp,
    { version }: SyncConnection,
    cached: FoundVersion | null,
  ): Promise<FoundVersion> | FoundVersion {
    if (!cached) return findVersion(http, version);
    return isRejected ? findVersionAgain(http, version, cached) : cached;
  }

  /** A service that was updated is asked in its newer version, some time later (V2-542). */
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
    const found = await findNewerVersion(httpOf(connection, token), cached);
    if (!found || begun !== changes) return;
    options.noteVersion(found);
    cloud = null;
  }

  async function pollOnce(): Promise<DesiredState | null> {
    await checkForNewerVersion();
    const polled = await open();
    const desired = await polled.pollDesiredState(options.connection());
    return polled === cloud ? desired : pollOnce();
  }

  return {
    pollDesiredState: async (signal) => {
      called = signal;
      try {
        return await pollOnce();
      } catch (error) {
        const code = error instanceof RemoteError ? error.code : null;
        if (code !== "unauthorized" && code !== "refused") throw error;
        // Once more, with the token as it lies there now and the version asked for anew.
        cloud = null;
        isRejected = code === "refused";
        return pollOnce();
      }
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
  { version, prefix }: StoredConnectionMemory,
): FoundVersion | null {
  if (version === null || prefix === null) return null;
  const isUsable =
    connection.version === "auto" || connection.version === version;
  return isUsable ? { version, prefix } : null;
}
