// Event stream of the player in a browser: one connection while the page is visible, opened again whenever it ends.

import type {
  EventsV2,
  PlayerEventV2,
} from "../../../server/contract/v2/v2-monitoring.ts";

type EventName = PlayerEventV2["name"];
type Resource = EventsV2["changed"]["resource"];

/** Every event that the stream has; the type makes the list complete. */
const names = Object.keys({
  ...{ changed: true, showing: true, fault: true },
  ...{ progress: true, sync: true },
} satisfies Record<EventName, true>) as readonly EventName[];

/** What may have changed while nothing was received. */
const resources = Object.keys({
  ...{ assets: true, playlists: true, settings: true, takeover: true },
  ...{ tokens: true, backups: true, sync_accounts: true },
} satisfies Record<Resource, true>) as readonly Resource[];

/** A browser reconnects by itself after a broken connection, but not after an error response. */
const reopenMs = 3000;

/**
 * Calls back for every event, and after a gap as if everything had changed. A hidden page has no stream: a browser allows six
 * connections to one address, and each of its tabs would keep one. `onRejected` is called for an error response, whose reason a
 * stream does not reveal. The returned function ends it.
 */
export function openEventStream(
  address: string,
  listener: (event: PlayerEventV2) => void,
  onRejected: () => void,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What was read while nothing is received may be outdated. */
  let hasGap = document.visibilityState === "hidden";

  function open(): void {
    clearTimeout(timer);
    if (source !== null || document.visibilityState === "hidden") return;
    const opened = new EventSource(address);
    source = opened;
    for (const name of names)
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        listener({ name, value: JSON.parse(data) as unknown } as PlayerEventV2);
      });
    opened.onopen = () => {
      if (hasGap)
        for (const resource of resources)
          listener({ name: "changed", value: { resource } });
      hasGap = false;
    };
    opened.onerror = () => {
      hasGap = true;
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      close();
      timer = setTimeout(open, reopenMs);
      onRejected();
    };
  }

  function close(): void {
    hasGap = true;
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function follow(): void {
    if (document.visibilityState === "hidden") close();
    else open();
  }

  document.addEventListener("visibilitychange", follow);
  open();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    close();
  };
}
