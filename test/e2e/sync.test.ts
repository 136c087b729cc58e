// The real app syncs from our own content service over each version; then the service is stopped, and the screen is right offline.

import { describe, expect, it } from "vitest";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  deploy,
  install,
  newApp,
  publish,
  set,
} from "../support/content/app-service.ts";
import { clientV3, type ClientV3 } from "../support/content/each-v3.ts";
import { temporaryFolder } from "../support/folder.ts";
import { claimedPlayer } from "../support/content/linked-player.ts";
import { png, type Colour } from "../support/media/media.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { startApp, type RunningApp } from "../support/app/start-app.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../support/content/start-content.ts";

const colours = {
  "v4.1": [200, 40, 40],
  v4: [40, 180, 60],
  v3: [50, 70, 210],
} as const satisfies Record<string, Colour>;

const versions = ["v4.1", "v4", "v3"] as const;
/** The colour of an app's page once it has received its setting and its secret; it has another one before. */
const ofApp = [200, 40, 200] as const satisfies Colour;
/** The colour of an app that received its token from the service; set in the page's own style sheet. */
const ofToken = [30, 160, 180] as const satisfies Colour;
const token = "sesame";
const flags = ["--no-manager", "--window", "fullscreen"];

/** Schedules an image of this colour on every screen. */
async function showEverywhere(
  content: StartedContent,
  title: string,
  colour: Colour,
  more: readonly string[] = [],
): Promise<void> {
  const answer = await content.upload(png(colour, 1280, 720), { title });
  const [asset] = (await answer.json()) as Row[];
  const [list] = await content.add("/v4.1/playlists", { title });
  for (const asset_id of [asset?.id, ...more])
    await content.add("/v4.1/playlist-items", {
      ...{ playlist_id: list?.id, asset_id, duration: 1 },
    });
  const [all] = await content.rows("/v4.1/labels?type=eq.all-screens");
  await content.add("/v4.1/labels/playlists", {
    ...{ playlist_id: list?.id, label_id: all?.id },
  });
  await expect
    .poll(() => content.rows("/v4.1/assets?status=neq.finished"))
    .toEqual([]);
}

/** Installs an app that paints itself in its configured colour once it has received its secret. */
async function installApp(client: ClientV3): Promise<string> {
  const appId = await newApp(client);
  const page = `<!doctype html><script src="screenly.js?version=1"></script>
    <link rel="stylesheet" href="look/look.css"><body><script>
      const { colour, word } = screenly.settings;
      if (word === "sesame") document.body.style.background = colour;
      screenly.signalReadyForRendering();
    </script>`;
  await deploy(
    client,
    appId,
    { "index.html": page, "look/look.css": "body{background:#000}" },
    {
      ready_signal: true,
      settings: {
        colour: { type: "string", title: "Colour" },
        word: { type: "secret", title: "Word" },
      },
    },
  );
  const app = await install(client, appId, "Board");
  await set(client, app, "settings", "colour", `rgb(${ofApp.join()})`);
  await set(client, app, "secrets", "word", "sesame");
  return app.assetId;
}

/** As the vendor's client publishes one whose library requests a token: files of one name, and a module that imports another. */
async function publishTokenApp(client: ClientV3): Promise<string> {
  const appId = await newApp(client);
  const files = {
    "index.html": `<!doctype html><script src="screenly.js?version=1"></script>
      <link rel="stylesheet" href="css/main.css"><body>
      <script type="module" src="js/main.js"></script>`,
    "js/main.js": `import { getToken } from "./vendor/main.js";
      if ((await getToken()) === "${token}") document.body.className = "trusted";
      screenly.signalReadyForRendering();`,
    "js/vendor/main.js": `export async function getToken() {
      const { screenly_oauth_tokens_url: tokens, screenly_app_auth_token: own } = screenly.settings;
      const answer = await fetch(tokens + "access_token/", {
        method: "GET",
        headers: { Accept: "application/json", Authorization: "Bearer " + own },
      });
      return (await answer.json()).token;
    }`,
    "css/main.css": `body.trusted{background:rgb(${ofToken.join()})}`,
    "css/print/main.css": "body.trusted{background:#fff}",
  };
  await publish(client, appId, files, true);
  return (await install(client, appId, "Token board")).assetId;
}

async function tokensIn(folder: string): Promise<string> {
  const file = path.join(folder, "tokens.json");
  await writeFile(
    file,
    JSON.stringify({ Vitrine: { access_token: { token } } }),
  );
  return file;
}

async function follow(
  { api }: RunningApp,
  baseUrl: string,
  version: string,
  screen: { readonly token: string; readonly screen_id?: string },
): Promise<void> {
  const answer = await fetch(`${api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ base_url: baseUrl, version, ...screen }),
  });
  expect(answer.status).toBe(201);
}

describe("the app", () => {
  it("[V2-331] [V2-333] [V2-547] [V3-58] shows the content of v4.1, v4 and v3 services, an app with its secret and one with folders that requires its token too, and keeps showing it without them through three restarts", async () => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    let app = await startApp({ screen, flags });
    const { dataDir } = app;
    const shows = (version: keyof typeof colours) => (frame: Frame) =>
      isNear(meanOf(frame), colours[version]);
    const showsApp = (frame: Frame) => isNear(meanOf(frame), ofApp);
    const clouds: StartedContent[] = [];
    for (const version of versions) {
      const folder = await temporaryFolder();
      const oauthTokens = await tokensIn(folder);
      const content = await startContent(folder, { oauthTokens });
      clouds.push(content);
      const isNewest = version === "v4.1";
      const client = clientV3(content.address, contentKey);
      const apps = isNewest
        ? [await installApp(client), await publishTokenApp(client)]
        : [];
      await showEverywhere(content, version, colours[version], apps);
      const { credential, screenId } = await claimedPlayer(client);
      const paired = { token: credential, screen_id: screenId };
      const connection = isNewest ? paired : { token: contentKey };
      await follow(app, content.address, version, connection);
      await screenWatch.until(shows(version), `the image over ${version}`);
    }
    await screenWatch.until(showsApp, "the app");
    await screenWatch.until(
      (frame) => isNear(meanOf(frame), ofToken),
      "the app that was given its token",
    );
    for (const content of clouds) await content.stop();
    for (let start = 1; start <= 3; start += 1) {
      expect(await app.stop()).toBe(0);
      app = await startApp({ screen, flags, dataDir });
      const unseen = new Set([...versions.map(shows), showsApp]);
      // In any order: one cycle is enough.
      await screenWatch.until((frame) => {
        for (const fits of unseen) if (fits(frame)) unseen.delete(fits);
        return unseen.size === 0;
      }, `all of it at restart ${start}`);
    }
    const status = (await (await fetch(`${app.api}/api/v2/sync`)).json()) as {
      accounts: unknown[];
    };
    expect(status.accounts).toMatchObject(
      versions.map((version) => ({
        ...{ version, assets: version === "v4.1" ? 3 : 1, playlists: 1 },
      })),
    );
    await screenWatch.stop();
  }, 180_000);
});
