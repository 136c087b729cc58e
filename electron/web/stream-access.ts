// Streams come from servers that never heard of this player: the stage may read what they answer all the same.

import type { Session } from "electron";

/** An ordinary page may only read from other servers what they offer to it; here the operator gave the address. */
export function letStageRead(session: Session): void {
  session.webRequest.onHeadersReceived(
    { urls: ["http://*/*", "https://*/*"], types: ["xhr"] },
    ({ responseHeaders = {} }, answer) => {
      const others = Object.entries(responseHeaders).filter(
        ([name]) => !/^access-control-allow-origin$/i.test(name),
      );
      answer({
        responseHeaders: {
          ...Object.fromEntries(others),
          "Access-Control-Allow-Origin": ["app://playback"],
        },
      });
    },
  );
}
