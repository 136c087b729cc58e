// The screenly.js runtime script for apps: screen metadata, the app's settings and the ready signal.

import type {
  AppOnScreen,
  ScreenFacts,
} from "../../server/contract/page-context.ts";

/** Path under which an app reaches other servers, under its own origin. */
export const proxyFolder = "cors-proxy";

/** A promise under this name resolves when the app signals that it is ready. */
export const readySign = "__screenlyReady";

export function runtimeScript(
  app: AppOnScreen,
  screen: ScreenFacts,
  origin: string,
): string {
  const given = {
    metadata: metadataOf(screen),
    settings: app.settings,
    cors_proxy_url: `${origin}/${proxyFolder}`,
  };
  return `(() => {
  let ready;
  Object.defineProperty(window, "${readySign}", { value: new Promise((done) => (ready = done)) });
  window.screenly = Object.assign(${asScript(given)}, { signalReadyForRendering: () => ready() });
})();
`;
}

/** For a remote page, which has no screenly.js: its settings, followed by the app's own script. */
export function settingsScript(
  settings: Readonly<Record<string, string>>,
  script: string,
): string {
  return `window.screenly_settings = ${asScript(settings)};\n${script}`;
}

function metadataOf(screen: ScreenFacts): Record<string, unknown> {
  return {
    coordinates: screen.coordinates ?? [0, 0],
    hardware: screen.hardware,
    hostname: screen.hostname,
    location: screen.location,
    screen_name: screen.screenName,
    screenly_version: screen.version,
    tags: screen.groups,
  };
}

/** JSON that is also valid in a script, wherever it stands. */
function asScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
