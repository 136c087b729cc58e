// What comes before a plan is applied: its apps are put together, and what it takes away or changes has been shown to its end (V2-329).

import type { SyncClock } from "../sync-clock.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import type { AppSecrets } from "../edge-apps/app-secrets.ts";
import type { Look } from "../remote/remote.ts";
import { troubleOf } from "../remote/remote-error.ts";

export interface TurnEndOptions {
  readonly library: Pick<SyncLibrary, "onTurn">;
  readonly clock: SyncClock;
  readonly signal: AbortSignal;
}

/** What stays for hours is not waited for: a cloud's word is to be seen the same morning. */
const mostMs = 10 * 60_000;

/** Rejects when it is called off. */
export function letTurnEnd(
  leftMs: () => number,
  { library, clock, signal }: TurnEndOptions,
): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const firstMs = leftMs();
  if (firstMs <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stopTimer();
      stopHearing();
      signal.removeEventListener("abort", callOff);
      settle();
    };
    const callOff = (): void => end(() => reject(signal.reason as Error));
    const stopTimer = clock.after(Math.min(firstMs, mostMs), () =>
      end(resolve),
    );
    // Another turn of the same asset has more time left than this one had.
    let left = firstMs;
    const stopHearing = library.onTurn(() => {
      const now = leftMs();
      if (now <= 0 || now > left) end(resolve);
      left = now;
    });
    signal.addEventListener("abort", callOff);
  });
}

export interface AssemblingOptions {
  readonly library: Pick<SyncLibrary, "files" | "admitApp">;
  readonly appSecrets: Pick<AppSecrets, "keep">;
}

/** What goes wrong with one, the last of them if there are several, holds up nothing else: it is the answer. */
export async function assembleApps(
  { wanted, secrets }: Look,
  { library, appSecrets }: AssemblingOptions,
): Promise<Error | null> {
  const apps = wanted.assets.filter(({ app }) => app);
  let trouble: Error | null = null;
  if (apps.length === 0) return trouble;
  const here = library.files();
  for (const { app, file } of apps) {
    if (!app || !file || app.files.some(({ md5 }) => !here.has(md5))) continue;
    const own = secrets.get(file.md5) ?? {};
    try {
      if (Object.keys(own).length > 0) await appSecrets.keep(file.md5, own);
      if (!here.has(file.md5)) await library.admitApp(app, file.md5);
    } catch (error) {
      const found = troubleOf(error, "The player's store");
      if (!(found instanceof Error)) throw found;
      trouble = found;
    }
  }
  return trouble;
}
