// Suppresses dialogs over the screen: pages in these sessions cannot open any, not even the print dialog.

import type { Session } from "electron";

/** Everything a page may have except `allow-modals` and downloads: dialogs are blocked, the rest works as without a sandbox. */
export const noModals =
  "sandbox allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-presentation " +
  "allow-popups allow-popups-to-escape-sandbox allow-top-navigation allow-orientation-lock " +
  "allow-storage-access-by-user-activation";

const contentPolicy = "content-security-policy";
const openerPolicy = "cross-origin-opener-policy";
const embedderPolicy = "cross-origin-embedder-policy";

export function refuseModals(session: Session): void {
  const filter = {
    urls: ["http://*/*", "https://*/*"],
    types: ["mainFrame" as const, "subFrame" as const],
  };
  session.webRequest.onHeadersReceived(filter, (details, proceed) => {
    const given = Object.entries(details.responseHeaders ?? {});
    const has = (name: string) =>
      given.some(([key]) => key.toLowerCase() === name);
    // Both together give a page shared memory, which it needs more than protection from its print dialog.
    if (has(openerPolicy) && has(embedderPolicy)) return proceed({});
    // Chromium blocks a page that is sandboxed and keeps its opener away; without new windows there is no opener.
    const isContentPolicy = ([key]: readonly [string, unknown]) =>
      key.toLowerCase() === contentPolicy;
    const allowed = given.filter(
      (header) =>
        header[0].toLowerCase() !== openerPolicy && !isContentPolicy(header),
    );
    // In addition to the page's own policies, each of which stays in force.
    const policies = given
      .filter(isContentPolicy)
      .flatMap(([, values]) => values);
    proceed({
      responseHeaders: {
        ...Object.fromEntries(allowed),
        [contentPolicy]: [...policies, noModals],
      },
    });
  });
}
