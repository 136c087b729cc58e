// Apps on the screen: an uploaded folder of web files, shown under an origin of its own with the runtime it expects.

import { describe, expect, it } from "vitest";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import { png, type Colour } from "../support/media/media.ts";
import { sharedScreen, startAlone } from "../support/app/shared-screen.ts";
import { meanOf, shows } from "../support/screen/screen.ts";
import type { RunningApp } from "../support/app/start-app.ts";
import { serveWeb } from "../support/http/web-server.ts";
import { zip } from "../support/player/zips.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];

const one = sharedScreen({ start: startAlone });

async function assetsOf(app: RunningApp): Promise<readonly AssetV2[]> {
  const answer = await fetch(`${app.api}/api/v2/assets`);
  return (await answer.json()) as AssetV2[];
}

/** A page that reports what its own requests return, and paints itself when it is done. */
const requestingPage = (server: string, code: string) => `<!doctype html>
<script src="screenly.js?version=1"></script>
<link rel="stylesheet" href="look/look.css">
<script type="module">
  const found = {};
  const answerOf = async (address, options) => {
    try {
      const answer = await fetch(address, options);
      return answer.status + " " + (await answer.text()).slice(0, 200);
    } catch (error) {
      return "refused";
    }
  };
  ${code}
  await fetch(screenly.cors_proxy_url + "/${server}/report", { method: "POST", body: JSON.stringify(found) });
  document.documentElement.className = "done";
  screenly.signalReadyForRendering();
  // Blocked from its next frame on, so that its changes before the call are painted late.
  requestAnimationFrame(() => { const from = performance.now(); while (performance.now() - from < 400); });
</script>`;

const lookCss = {
  path: "look/look.css",
  content: "html{background:#c82828} html.done{background:#1ea03c}",
};

describe("an app", () => {
  it("[V2-181][V2-182][V2-183] can use its runtime, its settings, its files and the proxy to other servers, but not reach the player or another app", async () => {
    let report: Record<string, string> = {};
    const web = await serveWeb({
      "/report": (response) => {
        const { req } = response;
        let text = "";
        req.on("data", (chunk: Buffer) => (text += chunk.toString()));
        req.on("end", () => {
          report = JSON.parse(text) as Record<string, string>;
          response.end("thanks");
        });
      },
      "/data": (response, { headers }) =>
        response
          .setHeader("Set-Cookie", "a=b")
          .end(`data for ${headers.authorization} from ${headers.origin}`),
      "/aside": { to: "" },
    });
    const { app, screenWatch } = one;
    web.answers.set("/aside", { to: `${app.api}/api/v2/assets` });
    await fetch(`${app.api}/api/v2/device_settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        ...{ player_name: "Foyer", location: "Hall", groups: "lobby" },
        coordinates: "1.5, 2.5",
      }),
    });
    const other = await app.addFile(
      zip([{ path: "index.html", content: "the other one" }]),
      { name: "other", mimetype: "appweb", is_enabled: false },
    );
    const page = requestingPage(
      web.address,
      `found.metadata = screenly.metadata;
       found.settings = screenly.settings;
       found.proxied = await answerOf(screenly.cors_proxy_url + "/${web.address}/data?a=1", { headers: { authorization: "me" } });
       found.player = await answerOf(screenly.cors_proxy_url + "/${app.api}/api/v2/assets");
       found.around = await answerOf(screenly.cors_proxy_url + "/${web.address}/aside");
       found.direct = await answerOf("${app.api}/api/v2/assets");
       found.file = await answerOf(screenly.cors_proxy_url + "/file:///etc/hostname");
       found.other = await answerOf("edge-app://${other.asset_id}/");
       found.manifest = await answerOf("screenly.yml");
       found.missing = await answerOf("nothing.html");
       found.part = await answerOf("look/look.css", { headers: { range: "bytes=0-3" } });
       found.folder = await answerOf("sub/");
       found.origin = location.origin;
       try { found.node = typeof require + typeof process } catch {}`,
    );
    const asset = await app.addFile(
      zip([
        { path: "board/index.html", content: page },
        { path: `board/${lookCss.path}`, content: lookCss.content },
        { path: "board/sub/index.html", content: "sub" },
        {
          path: "board/screenly.yml",
          content:
            "ready_signal: true\nsettings:\n  title: {type: string, default_value: '</script>'}\n  rows: {type: string, default_value: 1}",
        },
      ]),
      {
        ...{ name: "board", mimetype: "appweb" },
        metadata: { app_settings: { rows: "2" } },
      },
    );
    await screenWatch.until(shows(green), "the app when it is done");
    const origin = `edge-app://${asset.asset_id}`;
    expect(report).toEqual({
      metadata: {
        coordinates: [1.5, 2.5],
        hardware: expect.any(String),
        hostname: expect.any(String),
        location: "Hall",
        screen_name: "Foyer",
        screenly_version: expect.any(String),
        tags: ["lobby"],
      },
      settings: { title: "</script>", rows: "2" },
      proxied: "200 data for me from undefined",
      player: "502 This address cannot be fetched.",
      around: "502 This address cannot be fetched.",
      direct: "refused",
      file: "400 Only http and https addresses can be fetched.",
      other: "404 ",
      manifest: "404 ",
      missing: "404 ",
      part: "206 html",
      folder: "200 sub",
      origin,
      node: "undefinedundefined",
    });
    // It was not visible before it signalled that it is ready.
    expect(screenWatch.frames.filter(shows(red)).map(meanOf)).toEqual([]);
    // The only asset in the rotation is never reopened: it still receives the new player name.
    await fetch(`${app.api}/api/v2/device_settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ player_name: "Porch" }),
    });
    await expect
      .poll(() => report["metadata"])
      .toMatchObject({ screen_name: "Porch" });
  });

  it("[V2-183] that never reports ready is never shown, with that as its reason; one without files is skipped", async () => {
    const { app, screenWatch } = one;
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 20 },
    });
    await screenWatch.until(shows(green), "green");
    const from = screenWatch.frames.length;
    await app.addFile(
      zip([
        { path: "screenly.yml", content: "ready_signal: true" },
        {
          path: "index.html",
          content:
            '<script src="screenly.js"></script><style>html{background:#c82828}</style>',
        },
      ]),
      { name: "mute", mimetype: "appweb", duration: 1 },
    );
    const reasonOf = async (name: string): Promise<string> => {
      const match = (await assetsOf(app)).find((one) => one.name === name);
      return String(match?.metadata.error_message ?? "");
    };
    await expect
      .poll(() => reasonOf("mute"))
      .toContain("signalReadyForRendering");
    await app.add({
      ...{ name: "empty", mimetype: "appweb", uri: "https://example.org/" },
      ...{ skip_asset_check: true, duration: 1 },
    });
    await expect.poll(() => reasonOf("empty")).toContain("app's files");
    expect(
      screenWatch.frames
        .slice(from)
        .filter((seen) => !shows(green)(seen))
        .map(meanOf),
    ).toEqual([]);
  });

  it("[V2-187] [V2-338] that starts at a remote address gets its settings, its own script and its credentials there, and no other server receives them", async () => {
    const elsewhere = await serveWeb({ "/dot.png": 204 });
    const web = await serveWeb({
      "/start": (response, { headers }) => {
        const isLetIn = headers.authorization === "Bearer t0p";
        response
          .writeHead(isLetIn ? 200 : 401, { "Content-Type": "text/html" })
          .end(
            `<!doctype html><title>remote</title><img src="${elsewhere.address}/dot.png">Hello`,
          );
      },
      "/told": 204,
    });
    const { app, screenWatch } = one;
    await app.addFile(
      zip([
        {
          path: "screenly.yml",
          content: `entrypoint: {type: remote-global, uri: "${web.address}/start"}\nsettings: {colour: {type: string, default_value: "#1ea03c"}}`,
        },
        {
          path: "screenly_inject.js",
          content: `const told = Object.keys(screenly_settings).join();
            fetch("/told?" + told).then(() => { document.documentElement.style.background = screenly_settings.colour; document.body.textContent = "" })`,
        },
      ]),
      {
        ...{ name: "remote", mimetype: "appweb" },
        metadata: { app_settings: { screenly_http_bearer_token: "t0p" } },
      },
    );
    await screenWatch.until(
      shows(green),
      "the remote page as the app wants it",
    );
    expect(web.requests.map(({ url }) => url)).toContain("/told?colour");
    await expect.poll(() => elsewhere.requests.length).toBeGreaterThan(0);
    for (const { headers } of elsewhere.requests)
      expect(headers.authorization).toBeUndefined();
  });
});
