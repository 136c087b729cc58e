// Keeps the keys up to date with which this player shares files with others of its team (L-53 to L-55).

import { linkPaths, siteKeysLink } from "../../../contract/link/link.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";
import type { PresharedKey } from "../../../platform/http/preshared-key.ts";
import type { Send } from "../remote/send-http.ts";

/** Where files are shared. */
export interface SiteKeysUser {
  isOn(): boolean;
  onSwitched(listener: () => void): () => void;
  /** Empty: its service has none. */
  setKeys(keys: readonly PresharedKey[]): void;
}

export interface SiteKeysOptions {
  readonly user: SiteKeysUser;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: () => number;
  readonly stopped: AbortSignal;
  /** The service could not be asked. */
  readonly onFailed: (error: unknown) => void;
}

/** Keys are valid for a day at least; a service of an earlier version may be updated. */
const renewMs = 3_600_000;
const retryMs = 60_000;

/** Rejects when it is stopped. */
export async function keepSiteKeys(options: SiteKeysOptions): Promise<void> {
  const { user, clock, random, stopped, onFailed } = options;
  for (;;) {
    stopped.throwIfAborted();
    let ms = renewMs;
    try {
      if (user.isOn()) await renew(options);
    } catch (error) {
      if (!stopped.aborted) onFailed(error);
      ms = retryMs;
    }
    await pauseUntilSwitched(user, clock, ms * (0.75 + random() / 2), stopped);
  }
}

async function renew({ user, send }: SiteKeysOptions): Promise<void> {
  const { status, json } = await send("GET", linkPaths.siteKeys);
  if (status === 404) return user.setKeys([]);
  // Anything else that is wrong with the link shows in its heartbeats.
  if (status !== 200) return;
  const reading = siteKeysLink.safeParse(json);
  if (reading.success) user.setKeys(reading.data.keys);
}

async function pauseUntilSwitched(
  user: SiteKeysUser,
  clock: Clock,
  ms: number,
  stopped: AbortSignal,
): Promise<void> {
  const switched = new AbortController();
  const stopListening = user.onSwitched(() => switched.abort());
  try {
    await pause(clock, ms, AbortSignal.any([stopped, switched.signal]));
  } catch (error) {
    if (stopped.aborted) throw error;
  } finally {
    stopListening();
  }
}
