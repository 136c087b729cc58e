// Finds out what a content service has while nothing of it comes to this screen (V2-741).

import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import {
  bringsNothing,
  unusedReasonOf,
  type UnusedContent,
} from "../../../core/sync-plan/unused-content.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { Poll } from "./poll.ts";

export interface UnusedCount {
  current(): UnusedContent | null;
  /**
   * After each poll that the service answered; null: the desired state is unchanged. Returns whether there is something else to
   * report.
   */
  update(desired: DesiredState | null, signal: AbortSignal): Promise<boolean>;
}

export function createUnusedCount(
  connection: () => SyncConnection,
  poll: Pick<Poll, "countContent">,
): UnusedCount {
  let last: DesiredState | null = null;
  let current: UnusedContent | null = null;

  async function count(
    { content, unreadablePlaylists = 0 }: DesiredState,
    signal: AbortSignal,
  ): Promise<UnusedContent | null> {
    const counts = await poll.countContent(signal);
    if (!counts) return null;
    const of = [connection(), content, unreadablePlaylists, counts] as const;
    return { ...counts, reason: unusedReasonOf(...of) };
  }

  return {
    current: () => current,
    update: async (desired, signal) => {
      last = desired ?? last;
      const before = current;
      try {
        current =
          last && bringsNothing(last.content)
            ? await count(last, signal)
            : null;
      } catch (error) {
        // It says nothing about the sync, and the next poll counts again.
        if (!(error instanceof RemoteError)) throw error;
      }
      return JSON.stringify(current) !== JSON.stringify(before);
    },
  };
}
