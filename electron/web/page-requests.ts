// Checks every request of a session, from workers and after a redirect too: the limits of pages, and that none leads to the
// player's own interface.

import type { Session } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { leadsHere, portOf, type ResolveName } from "./local-api.ts";
import { firstRequests, stepRequests, type Allowance } from "./page-limits.ts";
import { countRequest } from "./page-watch.ts";

export interface RequestChecks {
  /** Whether web pages are shown in this session. */
  readonly isForPages: (session: Session) => boolean;
  /** Ports on which the player's interface listens or will listen, as far as they are known. */
  readonly localApiPorts: () => readonly number[];
  readonly log: Log;
}

export function checkRequests(session: Session, checks: RequestChecks): void {
  const resolve: ResolveName = async (name) =>
    (await session.resolveHost(name)).endpoints.map(({ address }) => address);
  const admit = createAdmission(session, checks);

  session.webRequest.onBeforeRequest(
    { urls: ["http://*/*", "https://*/*", "ws://*/*", "wss://*/*"] },
    ({ url, webContentsId }, proceed) => {
      const waitMs = admit(webContentsId);
      if (waitMs === null) return proceed({ cancel: true });
      if (waitMs === 0) return send();
      setTimeout(send, waitMs);

      /** Unless it is for the player's own interface (V2-451). */
      function send(): void {
        const port = portOf(url);
        if (port === null || !checks.localApiPorts().includes(port))
          return proceed({});
        leadsHere(url, resolve).then(
          (cancel) => proceed({ cancel }),
          // A name without an address cannot be reached: the request fails as it would have.
          () => proceed({}),
        );
      }
    },
  );
}

/** Unregistering them takes a while. */
const dropAgainMs = 10_000;

/** How long a request has to wait before it is sent; null for one that is not sent (V2-733). */
function createAdmission(
  session: Session,
  { isForPages, log }: RequestChecks,
): (contentsId: number | undefined) => number | null {
  /** Without a page: of service workers, and of pages that are closed. */
  let unowned: Allowance | null = null;
  let droppedMs = -Infinity;

  function dropWorkers(nowMs: number): void {
    if (nowMs - droppedMs < dropAgainMs) return;
    droppedMs = nowMs;
    const workers = Object.values(session.serviceWorkers.getAllRunning());
    if (workers.length === 0) return;
    log.warn("page.workers-dropped", {
      scopes: workers.map((one) => one.scope),
    });
    session
      .clearStorageData({ storages: ["serviceworkers"] })
      .catch((error: unknown) => log.error("app.internal-error", { error }));
  }

  return (contentsId) => {
    if (!isForPages(session)) return 0;
    const waitMs =
      contentsId === undefined ? undefined : countRequest(contentsId);
    if (waitMs !== undefined) return waitMs;
    const nowMs = performance.now();
    const step = stepRequests(unowned ?? firstRequests(nowMs), nowMs);
    unowned = step.state;
    if (step.waitMs === null) dropWorkers(nowMs);
    return step.waitMs;
  };
}
