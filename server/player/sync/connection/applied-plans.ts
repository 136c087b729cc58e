// Stored plans of one connection: what happens before a plan is applied, and the plans that are kept: the current one, the previous
// one and the waiting one.

import { randomBytes } from "node:crypto";
import {
  type SyncPlan,
  entriesOf,
  planSync,
  type Held,
} from "../../../core/sync-plan/sync-plan.ts";
import type {
  AppliedPlanView,
  PlanView,
} from "../../../core/sync-plan/sync-state.ts";
import {
  filesOfAsset,
  emptyContent,
  type DesiredContent,
  completeOf,
} from "../../../core/sync-plan/desired-content.ts";
import type { StoredConnectionMemory } from "../credentials/connection-store.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { StoredPlan } from "../store/sync-rows.ts";
import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { AppSecrets } from "../edge-apps/app-secrets.ts";
import { toRemoteError } from "../remote/remote-error.ts";

export function createAppliedPlans(
  library: SyncLibrary,
  connectionId: string,
  now: () => number,
) {
  let plans: readonly StoredPlan[] = [];
  const readAgain = (): void => {
    plans = library.plans(connectionId);
  };
  const applied = (): readonly StoredPlan[] =>
    plans.filter(({ isWaiting }) => !isWaiting);
  const newId = (): string => randomBytes(8).toString("hex");
  return {
    readAgain,
    /** The applied content; empty before the first plan. */
    current: (): DesiredContent =>
      applied().find(({ isCurrent }) => isCurrent)?.content ?? emptyContent,
    /** The applied plan; null before the first one. */
    currentPlan: (): StoredPlan | null =>
      applied().find(({ isCurrent }) => isCurrent) ?? null,
    previous: (): StoredPlan | null =>
      applied().find(({ isCurrent }) => !isCurrent) ?? null,
    /** The content applied last for a desired state other than `target`. */
    before: (target: string): DesiredContent =>
      applied().find((one) => one.target !== target)?.content ?? emptyContent,
    waiting: (): StoredPlan | null =>
      plans.find(({ isWaiting }) => isWaiting) ?? null,
    /** Null: no plan waits any more. */
    keepWaiting: (
      target: string | null,
      at: number,
      content: DesiredContent,
    ): void => {
      library.keepWaiting(
        connectionId,
        target === null ? null : { id: newId(), target, at, content },
      );
      readAgain();
    },
    /** Returns what could not be written, by the identifiers of the service (V2-550). */
    apply: async (
      plan: SyncPlan,
      {
        target,
        content,
      }: { readonly target: string; readonly content: DesiredContent },
      memory: StoredConnectionMemory,
      isLast: boolean,
    ): Promise<readonly string[]> => {
      const record = { id: newId(), target, at: now(), content };
      const unwritten = await library.apply(
        ...([connectionId, plan, record, memory, isLast] as const),
      );
      readAgain();
      return unwritten;
    },
    views: (): readonly AppliedPlanView[] =>
      applied().map(({ id, at, content, isCurrent }) => ({
        planId: id,
        appliedAt: at,
        assets: content.assets.length,
        playlists: content.playlists.length,
        isCurrent,
      })),
    /** MD5 of each file that one of the plans needs. */
    files: (): readonly string[] =>
      plans.flatMap(({ content }) => filesOf(content)),
  };
}

export function filesOf({ assets }: DesiredContent): readonly string[] {
  return assets.flatMap(filesOfAsset).map(({ md5 }) => md5);
}

type Waiting = Pick<PlanView, "connectionId" | "planId" | "seenAt" | "hold">;

export function waitingView(
  waiting: Waiting,
  desired: DesiredState,
  current: DesiredContent,
  held: Held,
): PlanView {
  const content = completeOf(
    ...([desired.content, current] as const),
    () => "here",
    desired.unreadable,
  );
  const plan = planSync(content, held);
  const entries = entriesOf(plan, content, held);
  const count = (action: string): number =>
    entries.filter((entry) => entry.action === action).length;
  return {
    ...{ ...waiting, entries },
    adds: count("add"),
    changes: count("change"),
    removes: count("remove"),
    bytes: plan.fetch.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
  };
}

interface ShowingEndOptions {
  readonly library: Pick<SyncLibrary, "onShowingChanged">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A showing that lasts for hours is not waited for: changes are to be visible the same morning. */
const maxMs = 10 * 60_000;

/**
 * Resolves when everything on screen that the plan removes or changes has been shown to its end (V2-329). Rejects when it is
 * aborted.
 */
export function waitForShowingEnd(
  leftMs: () => number,
  { library, clock, signal }: ShowingEndOptions,
): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const firstMs = leftMs();
  if (firstMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopTimer();
      stopListening();
      signal.removeEventListener("abort", callOff);
      settle();
    };
    const callOff = (): void => end(() => reject(signal.reason as Error));
    const stopTimer = clock.after(Math.min(firstMs, maxMs), () => end(resolve));
    // Another showing of the same asset has more time left than this one had.
    let left = firstMs;
    const stopListening = library.onShowingChanged(() => {
      const now = leftMs();
      if (now <= 0 || now > left) end(resolve);
      left = now;
    });
    signal.addEventListener("abort", callOff);
  });
}

interface AssemblingOptions {
  readonly library: Pick<SyncLibrary, "files" | "admitApp">;
  readonly appSecrets: Pick<AppSecrets, "keep">;
}

/** An app that fails does not hold up the others; returns the error, the last one if there are several. */
export async function assembleApps(
  { content, secrets }: DesiredState,
  { library, appSecrets }: AssemblingOptions,
): Promise<Error | null> {
  const apps = content.assets.filter(({ app }) => app);
  let failure: Error | null = null;
  if (apps.length === 0) return failure;
  const storedFiles = library.files();
  for (const { app, file } of apps) {
    if (!app || !file || app.files.some(({ md5 }) => !storedFiles.has(md5)))
      continue;
    const fileSecrets = secrets.get(file.md5) ?? {};
    try {
      if (Object.keys(fileSecrets).length > 0)
        await appSecrets.keep(file.md5, fileSecrets);
      if (!storedFiles.has(file.md5)) await library.admitApp(app, file.md5);
    } catch (error) {
      const remoteError = toRemoteError(error, "The player's store");
      if (!(remoteError instanceof Error)) throw remoteError;
      failure = remoteError;
    }
  }
  return failure;
}
