// Connections, status, plans and progress of the sync as version 2 JSON.

import {
  timeOfDayToV2,
  type AppliedPlanV2,
  type SyncAccountV2,
  type SyncPlanV2,
  type SyncProgressV2,
  type SyncStatusV2,
} from "../../../contract/v2/v2-sync.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type {
  ConnectionKind,
  AppliedPlanView,
  PlanView,
  SyncConnection,
  SyncProgress,
  SyncStatus,
} from "../../../core/sync-plan/sync-state.ts";

import { isStuck, type CloudChange } from "../../../core/sync-plan/outbox.ts";

const orNull = <In, Out>(value: In | null, make: (value: In) => Out) =>
  value === null ? null : make(value);

export function connectionToV2(connection: SyncConnection): SyncAccountV2 {
  return {
    account_id: connection.id,
    name: connection.name,
    base_url: connection.baseUrl,
    kind: connection.kind,
    version: connection.version,
    token_storage: connection.tokenKept,
    labels: [...connection.labels],
    screen_id: connection.screenId,
    asset_groups: [...connection.assetGroups],
    all_assets: connection.allAssets,
    mode: connection.mode,
    apply_at: timeOfDayToV2(connection.applyAtMs),
    poll_seconds: connection.pollSeconds,
    rate_limit: connection.rateLimit,
    download_from: orNull(connection.fetchFromMs, timeOfDayToV2),
    download_until: orNull(connection.fetchUntilMs, timeOfDayToV2),
    finish_current_item: connection.letsItemsEnd,
    is_enabled: connection.isEnabled,
    skip_ssl_verify: connection.isCertificateSkipped,
    proxy_url: connection.proxyUrl,
  };
}

export function statusToV2(
  status: SyncStatus,
  kind: ConnectionKind,
  changes: readonly CloudChange[],
): SyncStatusV2 {
  const { problem } = status;
  const waiting = changes.filter(({ state }) => state !== "done");
  return {
    account_id: status.connectionId,
    name: status.name,
    kind,
    phase: status.phase,
    version: status.version,
    hold: status.hold,
    problem: problem && {
      code: problem.code,
      message: problem.message,
      since: momentToText(problem.since),
    },
    last_contact: orNull(status.lastContactAt, momentToText),
    last_applied: orNull(status.lastAppliedAt, momentToText),
    next_poll: orNull(status.nextPollAt, momentToText),
    in_sync: status.isInSync,
    item_counts: status.items,
    assets: status.assets,
    playlists: status.playlists,
    failures: status.itemFailures.map((failure) => ({
      remote_id: failure.remoteId,
      name: failure.name,
      reason: failure.reason,
      is_quarantined: failure.isGivenUp,
    })),
    unused_content: status.unused && {
      ...status.unused,
      labels: [...status.unused.labels],
    },
    site: status.site && {
      players: status.site.players,
      files: status.site.files,
      files_from_players: status.site.filesFromPlayers,
      bytes: status.site.bytes,
      bytes_from_players: status.site.bytesFromPlayers,
    },
    applied_plans: status.kept.map(appliedPlanToV2),
    changes_waiting: waiting.length,
    changes_stuck: waiting.filter(isStuck).length,
    progress: syncProgressToV2(status.progress),
  };
}

export function appliedPlanToV2(plan: AppliedPlanView): AppliedPlanV2 {
  return {
    plan_id: plan.planId,
    applied: momentToText(plan.appliedAt),
    assets: plan.assets,
    playlists: plan.playlists,
    is_current: plan.isCurrent,
  };
}

export function planToV2(plan: PlanView): SyncPlanV2 {
  const { adds, changes, removes, bytes, hold } = plan;
  return {
    account_id: plan.connectionId,
    plan_id: plan.planId,
    first_seen: momentToText(plan.seenAt),
    ...{ hold, adds, changes, removes, bytes },
    entries: plan.entries.map(({ remoteId, what, ...entry }) => ({
      ...entry,
      ...{ kind: what, remote_id: remoteId },
    })),
  };
}

export function syncProgressToV2(progress: SyncProgress): SyncProgressV2 {
  return {
    account_id: progress.connectionId,
    phase: progress.phase,
    files_done: progress.filesDone,
    files_total: progress.filesTotal,
    received_bytes: progress.receivedBytes,
    total_bytes: progress.totalBytes,
    bytes_per_second: progress.bytesPerSecond,
    seconds_left: progress.secondsLeft,
    files: progress.files.map((file) => ({
      remote_id: file.remoteId,
      name: file.name,
      received_bytes: file.receivedBytes,
      total_bytes: file.totalBytes,
    })),
  };
}
