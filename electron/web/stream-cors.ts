// CORS for streams: the stage may read the responses of stream servers that do not allow it by header.

import type { Session } from "electron";

/** An ordinary page may only read what other servers share with it; here the operator gave the address. */
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
