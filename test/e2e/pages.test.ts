// Web pages on the screen: how they are requested, scripts and zoom applied to them, and that a broken one is never visible.

import { readdir, readFile } from "node:fs/promises";
import os from "node:os";
import { describe, expect, it } from "vitest";
import { pidOfRun } from "../../electron/lifecycle/safe-mode.ts";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import { firstOf } from "../support/long-form.ts";
import { colouredPage, png, type Colour } from "../support/media/media.ts";
import { sharedScreen, set, startAlone } from "../support/app/shared-screen.ts";
import {
  isBlank,
  isNear,
  meanOf,
  seenFor,
  shows,
  type Frame,
} from "../support/screen/screen.ts";
import { renderersOf } from "../support/app/renderers.ts";
import type { RunningApp } from "../support/app/start-app.ts";
import { serveWeb, silence } from "../support/http/web-server.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];

/** The colour of one sample of the frame, which has 64 columns and 36 lines. */
function colourAt({ pixels }: Frame, column: number, line: number): Colour {
  const at = (line * 64 + column) * 3;
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
}

const one = sharedScreen({ start: startAlone });

async function reasonOf(app: RunningApp, name: string): Promise<string> {
  const assets = (await (
    await fetch(`${app.api}/api/v2/assets`)
  ).json()) as AssetV2[];
  const asset = assets.find((one) => one.name === name);
  return String(asset?.metadata.error_message ?? "");
}

/** Resident memory of a process, in bytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** Priorities of the worker threads of these processes; 19 is the lowest. */
async function workerPriorities(pids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const pid of pids)
    for (const thread of await readdir(`/proc/${pid}/task`)) {
      const name = await readFile(`/proc/${pid}/task/${thread}/comm`, "utf8");
      if (name.startsWith("DedicatedWorker"))
        found.push(os.getPriority(Number(thread)));
    }
  return found;
}

async function verdictOf(app: RunningApp): Promise<string | null> {
  const answer = await fetch(`${app.api}/api/v2/now`);
  const { showing } = (await answer.json()) as {
    showing: { verdict: string | null } | null;
  };
  return showing?.verdict ?? null;
}

const minuteMs = 60_000;

const waysToEmpty = [
  [
    "clears its document",
    'document.documentElement.replaceChildren(); fetch("/is-empty")',
  ],
  ["goes to an empty page", 'location.href = "/emptied"'],
  [
    "makes its document transparent",
    'document.documentElement.style.opacity = 0; fetch("/is-empty")',
  ],
  [
    "takes its document off",
    'document.documentElement.style.display = "none"; fetch("/is-empty")',
  ],
  [
    "removes its document",
    'document.documentElement.remove(); fetch("/is-empty")',
  ],
  [
    "replaces its document by an element of no kind",
    'document.documentElement.replaceWith(document.createElementNS("urn:x", "x")); fetch("/is-empty")',
  ],
] as const;

/** A page that empties itself once `/now` returns success, and then requests `/is-empty`. */
const emptying = (empties: string) => ({
  "/": `${colouredPage(blue)}<script>
    setInterval(async () => { if ((await fetch("/now")).ok) { ${empties} } }, 100);
  </script>`,
  "/now": 404,
  "/emptied": `<!doctype html><title>nothing</title><script>fetch("/is-empty")</script>`,
});

const dot = (colour: string, side: number) =>
  `<!doctype html><style>*{margin:0}html{background:#fff}</style>
   <div style="width:${side}px;height:${side}px;background:${colour}"></div>`;

describe("a web page", () => {
  it("[V2-100][V2-170][V2-171][V2-172] is requested with its headers, its user agent and the screen's identity, and only its own origin receives them, not after a redirect either", async () => {
    const other = await serveWeb({
      "/image": 204,
      "/landed": colouredPage(green),
    });
    const elsewhere = `http://localhost:${other.port}`;
    const web = await serveWeb({
      "/page": `${colouredPage(blue)}<img src="${elsewhere}/image"><script>fetch("/data")</script>`,
      "/data": 204,
      "/moved": { to: `${elsewhere}/landed` },
    });
    const { app, screenWatch } = one;
    await set(app, {
      player_name: "Foyer שלום",
      location: "Upper hall",
      coordinates: "52.52,13.405",
      groups: "lobby, stairs",
    });
    const options = {
      custom_headers: {
        ...{ "X-Key": "secret", "User-Agent": "Board/1" },
        Cookie: "door=open",
      },
      send_metadata: true,
    };
    const page = await app.add({
      ...{ name: "page", uri: `${web.address}/page` },
      ...options,
    });
    await screenWatch.until(shows(blue), "the page");
    const requests = (url: string, at = web) =>
      at.requests.findLast((one) => one.url === url)?.headers ?? {};
    // Requests of a page may arrive after its first paint.
    for (const at of [web, other])
      await expect
        .poll(() => requests(at === web ? "/data" : "/image", at))
        .not.toEqual({});
    for (const own of [requests("/page"), requests("/data")])
      expect(own).toMatchObject({
        "x-key": "secret",
        "user-agent": "Board/1",
        cookie: "door=open",
        "x-screenly-screen-name": "Foyer %D7%A9%D7%9C%D7%95%D7%9D",
        "x-screenly-location-name": "Upper hall",
        "x-screenly-lat": "52.52",
        "x-screenly-lng": "13.405",
        "x-screenly-tags": expect.stringMatching(/.,lobby,stairs$/),
        "x-screenly-hostname": expect.any(String),
        "x-screenly-version": expect.any(String),
        "x-screenly-hardware": expect.any(String),
      });

    await app.remove(page.asset_id);
    await app.add({ name: "moved", uri: `${web.address}/moved`, ...options });
    await screenWatch.until(shows(green), "where it was sent on to");
    expect(requests("/moved")["x-key"]).toBe("secret");
    for (const foreign of [
      requests("/image", other),
      requests("/landed", other),
    ]) {
      expect(Object.keys(foreign).join()).not.toMatch(
        /x-key|x-screenly|cookie/,
      );
      expect(foreign["user-agent"]).toMatch(
        / screenly-viewer\/2\.0 ScreenlyWebview$/,
      );
    }
  });

  it("[V2-173][V2-174] is zoomed, runs its script in every document despite its own policy, and cannot leave the web or open other windows", async () => {
    const web = await serveWeb({
      "/first": `<!doctype html><script>location = "/second"</script>`,
      "/second": (response) =>
        response
          .setHeader("Content-Security-Policy", "default-src 'none'")
          .setHeader("Content-Type", "text/html")
          .end("<!doctype html><title>strict</title>Hello"),
      "/trouble": `<!doctype html><style>html{background:rgb(40,60,200)}</style><script>
        setInterval(() => { alert(1); confirm(2); print(); open("/second") }, 20);
        navigator.geolocation.getCurrentPosition(() => document.documentElement.style.background = "white");
        Notification.requestPermission();
        setTimeout(() => location = "file:///etc/hostname", 100);
      </script>`,
    });
    const { app, screenWatch } = one;
    const first = await app.add({
      name: "script",
      uri: `${web.address}/first`,
      zoom_level: 200,
      js_injection: `const times = (window.times ?? 0) + 1;
        window.times = times;
        document.documentElement.style.background = "rgb(30,160,60)";
        const box = document.createElement("div");
        box.style = "position:absolute;left:0;top:0;height:50px;background:rgb(200,40,40);width:" + times * 50 + "px";
        document.body.append(box);`,
    });
    const frame = await screenWatch.until(
      (seen) => isNear(colourAt(seen, 40, 20), green),
      "the page with its script",
    );
    // 50 pixels wide at a zoom of 2: 10 of 64 columns; 20 if the script ran twice.
    expect(isNear(colourAt(frame, 8, 5), red)).toBe(true);
    expect(isNear(colourAt(frame, 11, 5), green)).toBe(true);
    expect(isNear(colourAt(frame, 8, 11), green)).toBe(true);

    await app.add({
      name: "trouble",
      uri: `${web.address}/trouble`,
      js_injection: "this is }{ no script",
    });
    await app.remove(first.asset_id);
    await screenWatch.until(shows(blue), "the page that wants everything");
    const frames = await seenFor(screenWatch, 1000);
    expect(frames.filter((seen) => !shows(blue)(seen)).map(meanOf)).toEqual([]);
    expect(await reasonOf(app, "trouble")).toBe("");
  });

  it("[V2-176][V2-740] is reloaded while it is shown, without a flash, and keeps its content while its server fails, with the reason at the asset", async () => {
    let count = 0;
    const web = await serveWeb({
      "/": (response) =>
        response
          .setHeader("Content-Type", "text/html")
          .end(colouredPage(++count % 2 ? blue : green)),
    });
    const { app, screenWatch } = one;
    await app.add({
      name: "fresh",
      uri: `${web.address}/`,
      skip_asset_check: true,
      refresh_interval_s: 1,
    });
    await screenWatch.until(shows(blue), "the page");
    const from = screenWatch.frames.length;
    await screenWatch.until(shows(green), "a fresh copy");
    await screenWatch.until(shows(blue), "another one");
    web.answers.set("/", 500);
    const failures = web.requests.length;
    await expect.poll(() => web.requests.length).toBeGreaterThan(failures + 1);
    const seen = screenWatch.frames.slice(from);
    expect(
      seen.filter((frame) => !shows(blue)(frame) && !shows(green)(frame)),
    ).toEqual([]);
    await expect.poll(() => reasonOf(app, "fresh")).toContain("status 500");
    web.answers.set("/", colouredPage(red));
    await screenWatch.until(shows(red), "a copy of today");
    await expect.poll(() => reasonOf(app, "fresh")).toBe("");
  });

  it("that takes over the screen is shown without a flash, in a process that existed before, and has no history to go back to", async () => {
    const { app, screenWatch } = one;
    const running = () => renderersOf(app.process.pid ?? 0);
    let requestTimes: Promise<number[]> | undefined;
    const web = await serveWeb({
      "/": (response) => {
        requestTimes ??= running();
        response.setHeader("Content-Type", "text/html")
          .end(`${colouredPage(blue)}<script>
            fetch("/length/" + history.length);
            // Waits as long as a step back would take: a step that leads nowhere fires no event.
            setTimeout(() => { history.back(); setTimeout(() => fetch("/still-here"), 300); }, 100);
          </script>`);
      },
    });
    await app.addFile(png(green, 640, 360), {
      ...{ name: "an image", mimetype: "image" },
    });
    await screenWatch.until(shows(green), "the image");
    // The spare process is the only one besides the stage's.
    await expect.poll(async () => (await running()).length).toBe(2);
    const before = await running();
    const from = screenWatch.frames.length;
    await fetch(`${app.api}/api/v2/takeover`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url: `${web.address}/` }),
    });
    await screenWatch.until(shows(blue), "the page");
    expect(await requestTimes).toEqual(before);
    const urls = (): string[] => web.requests.map(({ url }) => url);
    await expect.poll(urls).toContain("/still-here");
    expect(urls()).toContain("/length/1");
    expect(
      screenWatch.frames
        .slice(from)
        .filter((frame) => !shows(blue)(frame) && !shows(green)(frame)),
    ).toEqual([]);
    await fetch(`${app.api}/api/v2/takeover`, { method: "DELETE" });
  });

  it("[V2-177] is never shown when it hangs, fails or is empty, lets the next one play, and its reason is at the asset; a plain one is not blank", async () => {
    const web = await serveWeb({
      "/silent": silence,
      "/loop": "<!doctype html>text<script>for (;;);</script>",
      "/blank": "<!doctype html><title>nothing</title><p> </p>",
      "/500": 500,
      "/file": (response) =>
        response
          .setHeader("Content-Type", "application/octet-stream")
          .end("bytes"),
      "/plain": colouredPage([255, 255, 255]),
    });
    const { app, screenWatch } = one;
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 1 },
    });
    await screenWatch.until(shows(red), "red");
    const from = screenWatch.frames.length;
    for (const path of ["silent", "loop", "blank", "500", "file"])
      await app.add({
        ...{ name: path, uri: `${web.address}/${path}`, duration: 1 },
        skip_asset_check: true,
      });
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 1 },
    });
    await screenWatch.until(shows(green), "green, behind all of them");
    await expect.poll(() => reasonOf(app, "500")).toContain("500");
    await expect.poll(() => reasonOf(app, "file")).toContain("download");
    expect(
      screenWatch.frames
        .slice(from)
        .filter((frame) => !shows(red)(frame) && !shows(green)(frame)),
    ).toEqual([]);

    const plain = await app.add({
      ...{ name: "plain", uri: `${web.address}/plain`, duration: 12 },
    });
    await app.control(`asset&${plain.asset_id}`);
    const seen = await screenWatch.until(isBlank, "a white page that means it");
    const left = await screenWatch.until(shows(red), "what comes after it");
    expect(left.atMs - seen.atMs).toBeGreaterThan(10_000);
    expect(await reasonOf(app, "plain")).toBe("");
  });

  it("[V2-732] that consists of a frame is shown if the frame shows something, and never when it failed or is still waiting", async () => {
    const framing = (src: string): string =>
      `<!doctype html><style>* { margin: 0; border: 0 }</style>
      <iframe src="${src}" style="width:100vw;height:100vh"></iframe>`;
    const web = await serveWeb({
      "/blue": colouredPage(blue),
      "/refuses": (response) =>
        response.setHeader("X-Frame-Options", "DENY").end("text"),
      "/silent": silence,
      "/shows": framing("/blue"),
      // Nothing listens there: browsers block this port.
      "/dead": framing("http://127.0.0.1:1/"),
      "/refused": framing("/refuses"),
      "/waiting": framing("/silent"),
    });
    const { app, screenWatch } = one;
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 600 },
    });
    await screenWatch.until(shows(red), "red");
    const from = screenWatch.frames.length;
    for (const path of ["dead", "refused", "waiting", "shows"])
      await app.add({
        ...{ name: path, uri: `${web.address}/${path}`, duration: 1 },
        skip_asset_check: true,
      });
    for (const [path, reason] of [
      ["dead", /frame that could not be loaded \(ERR_/],
      ["refused", /frame that could not be loaded \(ERR_/],
      ["waiting", /stayed blank/],
    ] as const)
      await expect.poll(() => reasonOf(app, path)).toMatch(reason);
    await app.control("next");
    await screenWatch.until(shows(blue), "the frame that shows something");
    expect(await reasonOf(app, "shows")).toBe("");
    expect(
      screenWatch.frames
        .slice(from)
        .filter((frame) => !shows(red)(frame) && !shows(blue)(frame)),
    ).toEqual([]);
  });

  // Each way in one of two tests, unless it is the long form.
  it.each(firstOf(waysToEmpty, 3))(
    "[V2-149][V2-191][V2-661] that %s once it is shown leaves the screen with its reason, long before its time is over",
    async (_title, empties) => {
      const web = await serveWeb(emptying(empties));
      const { app, screenWatch } = one;
      await app.add({ name: "emptied", uri: `${web.address}/`, duration: 600 });
      await app.addFile(png(green, 1280, 720), {
        ...{ name: "green", mimetype: "image", duration: 600 },
      });
      await screenWatch.until(shows(blue), "the page");
      // Two blank showings in a row would be reported as a fault of the screen.
      await expect.poll(() => verdictOf(app)).toBe("verified");
      web.answers.set("/now", 204);
      await screenWatch.until(isBlank, "the emptied page");
      await screenWatch.until(shows(green), "what comes after it");
      // The reason is written after the screen has changed.
      await expect
        .poll(() => reasonOf(app, "emptied"))
        .toContain("The screen is blank");
    },
  );

  /** A page with its own background colour and a word on it, which runs this script once `/now` returns success. */
  const wordThen = (acts: string) => ({
    "/": `${colouredPage([255, 255, 255])}<main><p style="font-size:30vh">Text</p></main><script>
      setInterval(async () => {
        if ((await fetch("/now")).ok) { ${acts} }
      }, 100);
    </script>`,
    "/now": 404,
  });
  const isText = ({ pixels }: Frame) =>
    pixels.some((value) => value < 60) && pixels.some((value) => value > 240);
  const style = "document.body.style";

  const waysToHide = [
    [
      "loses it, as one does whose script fails",
      `document.querySelector("main").replaceChildren()`,
    ],
    ["moves it off the screen", `${style}.transform = "translateX(-9999px)"`],
    [
      "places it beside the screen",
      `${style}.cssText = "position:absolute;left:-99in"`,
    ],
    ["makes it invisible", `${style}.visibility = "hidden"`],
    ["takes it off", `${style}.display = "none"`],
  ] as const;
  it.each(firstOf(waysToHide, 2))(
    "[V2-664][V2-668] that has a background colour and content, and %s, leaves the screen with its reason",
    async (_title, acts) => {
      const web = await serveWeb(wordThen(acts));
      const { app, screenWatch } = one;
      await app.add({ name: "hidden", uri: `${web.address}/`, duration: 600 });
      await app.addFile(png(green, 1280, 720), {
        ...{ name: "green", mimetype: "image", duration: 600 },
      });
      await screenWatch.until(isText, "the page");
      await expect.poll(() => verdictOf(app)).toBe("verified");
      web.answers.set("/now", 204);
      await screenWatch.until(isBlank, "the page without it");
      await screenWatch.until(shows(green), "what comes after it");
      await expect
        .poll(() => reasonOf(app, "hidden"))
        .toContain("The screen is blank");
    },
  );

  it("[V2-668] that merely changes its background colour is intentional: it stays for its time", async () => {
    const script = `document.querySelector("main").replaceChildren();
      document.documentElement.style.background = "rgb(30, 160, 60)";`;
    const web = await serveWeb(wordThen(script));
    const { app, screenWatch } = one;
    await app.add({ name: "light", uri: `${web.address}/`, duration: 25 });
    await screenWatch.until(isText, "the page");
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 1 },
    });
    await expect.poll(() => verdictOf(app)).toBe("verified");
    web.answers.set("/now", 204);
    const seen = await screenWatch.until(shows(green), "the colour alone");
    const left = await screenWatch.until(shows(red), "what comes after it");
    expect(left.atMs - seen.atMs).toBeGreaterThan(10_000);
    expect(await reasonOf(app, "light")).toBe("");
  });

  it.each(firstOf(waysToEmpty.toReversed(), 3))(
    "[V2-601][V2-661] that was ready and %s before it was due is never shown, and its reason is at the asset",
    async (_title, empties) => {
      const web = await serveWeb(emptying(empties));
      const { app, screenWatch } = one;
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 600 },
      });
      await screenWatch.until(shows(red), "red");
      await app.add({ name: "emptied", uri: `${web.address}/`, duration: 600 });
      const requestCount = (path: string): number =>
        web.requests.filter(({ url }) => url === path).length;
      // By then the page has long been ready and waits until it is due.
      await expect.poll(() => requestCount("/now")).toBeGreaterThan(20);
      web.answers.set("/now", 204);
      await expect.poll(() => requestCount("/is-empty")).toBeGreaterThan(0);
      const from = screenWatch.frames.length;
      await app.control("next");
      await expect.poll(() => reasonOf(app, "emptied")).toContain("went blank");
      expect(
        screenWatch.frames.slice(from).filter((frame) => !shows(red)(frame)),
      ).toEqual([]);
    },
  );

  it("[V2-666] that its own service worker blocks forever is loaded again without the worker, and is not blamed", async () => {
    const web = await serveWeb({
      "/": `${colouredPage(blue)}<script>
        navigator.serviceWorker.register("/worker.js");
      </script>`,
      "/worker.js": (response) =>
        response.setHeader("Content-Type", "text/javascript").end(
          `addEventListener("fetch", (event) => {
            event.respondWith(new Promise(() => undefined));
            fetch("/is-kept-waiting");
          });`,
        ),
      "/is-kept-waiting": 204,
    });
    const { app, screenWatch } = one;
    await app.add({ name: "page", uri: `${web.address}/`, duration: 2 });
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 2 },
    });
    const requestCount = (path: string): number =>
      web.requests.filter(({ url }) => url === path).length;
    await expect
      .poll(() => requestCount("/is-kept-waiting"))
      .toBeGreaterThan(0);
    const loads = requestCount("/");
    await screenWatch.until(shows(red), "red");
    await screenWatch.until(shows(blue), "the page again", 60_000);
    expect(requestCount("/")).toBeGreaterThan(loads);
    expect(await reasonOf(app, "page")).toBe("");
  });

  it("[V2-604] that floods the player with dialogs or messages, or allocates memory without limit, is terminated alone: the rest keeps playing without blame", async () => {
    const web = await serveWeb({
      "/confirms":
        "<!doctype html>text<script>while (true) confirm();</script>",
      "/writes":
        "<!doctype html>text<script>while (true) console.log(1);</script>",
      "/grows": `<!doctype html>text<script>
        const kept = [];
        for (;;) kept.push(new Uint8Array(2 ** 26).fill(1));
      </script>`,
    });
    const { app, screenWatch } = one;
    // Green stays until all have failed: a page that is due is given up sooner than it fails on a slow machine.
    for (const [name, colour, duration] of [
      ["red", red, 1],
      ["green", green, 600],
    ] as const)
      await app.addFile(png(colour, 1280, 720), {
        ...{ name, mimetype: "image", duration },
      });
    await screenWatch.until(shows(green), "green");
    const from = screenWatch.frames.length;
    const paths = { confirms: "too many", writes: "too many", grows: "memory" };
    for (const path of Object.keys(paths))
      await app.add({
        ...{ name: path, uri: `${web.address}/${path}`, duration: 1 },
        skip_asset_check: true,
      });
    for (const [path, reason] of Object.entries(paths))
      await expect.poll(() => reasonOf(app, path)).toContain(reason);
    await app.control("next");
    await screenWatch.until(shows(red), "red again");
    await screenWatch.until(shows(green), "green again");
    for (const name of ["red", "green"])
      expect(await reasonOf(app, name)).toBe("");
    expect(
      screenWatch.frames
        .slice(from)
        .filter((frame) => !shows(red)(frame) && !shows(green)(frame)),
    ).toEqual([]);
  });

  it.each([
    [
      "permission requests",
      `navigator.permissions.query({ name: "camera" });
       navigator.geolocation.getCurrentPosition(() => undefined);`,
    ],
    ["icons", `document.head.append(iconOf("/" + Math.random()))`],
  ])(
    "[V2-604] that floods the player with %s on the screen is terminated alone: the rest keeps playing without blame",
    async (_what, act) => {
      const web = await serveWeb({
        "/": `${colouredPage(blue)}<script>
          const iconOf = (href) =>
            Object.assign(document.createElement("link"), { rel: "icon", href });
          setInterval(() => {
            for (let count = 0; count < 200; count += 1) { ${act} }
          }, 5);
        </script>`,
      });
      const { app, screenWatch } = one;
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 1 },
      });
      await screenWatch.until(shows(red), "red");
      await app.add({ name: "floods", uri: `${web.address}/`, duration: 600 });
      await expect.poll(() => reasonOf(app, "floods")).toContain("too many");
      await screenWatch.until(shows(red), "red again");
      expect(await reasonOf(app, "red")).toBe("");
    },
  );

  it(
    "[V2-738][V2-739] that floods the player with requests for locks on the screen is terminated alone, and has no shared workers",
    { timeout: 4 * minuteMs },
    async () => {
      const web = await serveWeb({
        "/": `${colouredPage(blue)}<script>
        const forever = () => new Promise(() => undefined);
        fetch("/shared/" + typeof SharedWorker);
        const waiting = setInterval(async () => {
          if (!(await fetch("/now")).ok) return;
          clearInterval(waiting);
          setInterval(() => {
            for (let count = 0; count < 1000; count += 1)
              navigator.locks.request(String(Math.random()), forever);
          }, 5);
        }, 100);
      </script>`,
        "/now": 404,
      });
      const { app, screenWatch } = one;
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 1 },
      });
      await screenWatch.until(shows(red), "red");
      await app.add({ name: "locks", uri: `${web.address}/`, duration: 600 });
      await screenWatch.until(shows(blue), "the page");
      // It is blue before its script has run.
      await expect
        .poll(() => web.requests.map(({ url }) => url))
        .toContain("/shared/undefined");
      web.answers.set("/now", 204);
      // What it has sent by its end costs the main process some ten seconds of CPU time, whatever else the machine does.
      await screenWatch.until(shows(red), "red again", 2 * minuteMs);
      // Whichever is noticed first: it is too busy for either.
      await expect
        .poll(() => reasonOf(app, "locks"))
        .toMatch(/kept the player from responding|stopped responding/);
      expect(await reasonOf(app, "red")).toBe("");
    },
  );

  it.each([
    ["its own server", 'fetch("/data?" + Math.random())'],
    [
      "addresses without a server",
      'fetch("http://127.0.0.1:9/").catch(() => undefined)',
    ],
    ["its server that outlive it", 'navigator.sendBeacon("/data")'],
  ])(
    "[V2-733] that floods the player with requests to %s on the screen is terminated alone: the rest keeps playing without blame",
    async (_what, act) => {
      const web = await serveWeb({
        "/": `${colouredPage(blue)}<script>
          const flood = () => {
            for (let count = 0; count < 20; count += 1) ${act};
          };
          const waiting = setInterval(async () => {
            if (!(await fetch("/now")).ok) return;
            clearInterval(waiting);
            setInterval(flood, 5);
          }, 100);
        </script>`,
        ...{ "/now": 404, "/data": 204 },
      });
      const { app, screenWatch } = one;
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 1 },
      });
      await screenWatch.until(shows(red), "red");
      await app.add({ name: "floods", uri: `${web.address}/`, duration: 600 });
      await screenWatch.until(shows(blue), "the page");
      web.answers.set("/now", 204);
      await screenWatch.until(shows(red), "red again");
      expect(await reasonOf(app, "floods")).toContain("too many requests");
      expect(await reasonOf(app, "red")).toBe("");
    },
  );

  it("[V2-733] whose service worker floods the player with requests keeps playing without that worker", async () => {
    const web = await serveWeb({
      "/": `${colouredPage(blue)}<script>
        navigator.serviceWorker.register("/worker.js");
      </script>`,
      "/worker.js": (response) =>
        response.setHeader("Content-Type", "text/javascript").end(
          `setInterval(() => {
            for (let count = 0; count < 200; count += 1)
              fetch("/data?" + Math.random()).catch(() => undefined);
          }, 5);`,
        ),
      "/data": 204,
    });
    const { app, screenWatch } = one;
    await app.add({ name: "page", uri: `${web.address}/`, duration: 600 });
    await screenWatch.until(shows(blue), "the page");
    await expect.poll(app.output).toContain("page.workers-dropped");
    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image", duration: 1 },
    });
    await app.control("next");
    await screenWatch.until(shows(red), "red");
    await screenWatch.until(shows(blue), "the page again");
    expect(await reasonOf(app, "page")).toBe("");
  });

  it.runIf(process.platform === "linux")(
    "[V2-734] that computes in workers does so with the lowest priority, and stays on the screen",
    async () => {
      const web = await serveWeb({
        "/": `${colouredPage(blue)}<script>
          const code = URL.createObjectURL(new Blob(["for (;;);"]));
          for (let count = 0; count < 20; count += 1) new Worker(code);
        </script>`,
      });
      const { app, screenWatch } = one;
      await app.add({ name: "computes", uri: `${web.address}/` });
      await screenWatch.until(shows(blue), "the page");
      const priorities = async (): Promise<number[]> =>
        workerPriorities(await renderersOf(app.process.pid ?? 0));
      await expect.poll(priorities).toEqual(Array(20).fill(19));
      await expect.poll(() => verdictOf(app)).toBe("verified");
      expect(await reasonOf(app, "computes")).toBe("");
    },
  );

  it.runIf(process.platform === "linux")(
    "[V2-731] that stores without limit does not use up the memory of the player: what it stored is removed",
    async () => {
      const web = await serveWeb({
        "/": `${colouredPage(blue)}<script>
          const open = indexedDB.open("kept", 1);
          open.onupgradeneeded = () => open.result.createObjectStore("store");
          open.onsuccess = async () => {
            const bytes = new Uint8Array(2 ** 24).fill(7);
            for (let key = 0; key < 100; key += 1)
              await new Promise((done) => {
                const change = open.result.transaction("store", "readwrite");
                change.objectStore("store").put(bytes, key);
                change.oncomplete = change.onabort = change.onerror = done;
              });
          };
        </script>`,
      });
      const { app, screenWatch } = one;
      const { asset_id: id } = await app.add({
        ...{ name: "stores", uri: `${web.address}/`, duration: 600 },
      });
      await screenWatch.until(shows(blue), "the page");
      await expect.poll(app.output).toContain("page.storage-cleared");
      await app.remove(id);
      const memory = () => memoryOf(pidOfRun(app.dataDir) ?? 0);
      await expect.poll(memory).toBeLessThan(0.9 * 2 ** 30);
    },
  );

  it("[V2-177][V2-179] that never finishes loading is shown nevertheless, and does not count as hung while it responds, nor during a slow navigation", async () => {
    // A page counts as hung if it has not responded for five seconds; it is probed every two.
    const longer = 8;
    const web = await serveWeb({
      "/": `${colouredPage(blue)}<img src="/more"><script>
        let seconds = 0;
        setInterval(() => {
          fetch("/second/" + ++seconds);
          if (seconds === ${longer}) location = "/elsewhere";
        }, 1000);
      </script>`,
      ...{ "/more": silence, "/elsewhere": silence },
    });
    const { app, screenWatch } = one;
    await app.add({ name: "loads on", uri: `${web.address}/` });
    await screenWatch.until(shows(blue), "the page, as far as it came");
    const from = screenWatch.frames.length;
    await expect
      .poll(() => web.requests.map(({ url }) => url))
      .toEqual(expect.arrayContaining(["/elsewhere", `/second/${2 * longer}`]));
    expect(
      screenWatch.frames
        .slice(from)
        .filter((frame) => !shows(blue)(frame))
        .map(meanOf),
    ).toEqual([]);
    expect(await reasonOf(app, "loads on")).toBe("");
  });

  it("[V2-179] that hangs or crashes on the screen is replaced by the next", async () => {
    const web = await serveWeb({
      "/hangs": `${colouredPage(blue)}<script>
        setInterval(async () => { if ((await fetch("/now")).ok) for (;;); }, 100);
      </script>`,
      "/now": 404,
      "/crashes": colouredPage(green),
    });
    const { app, screenWatch } = one;
    const crashes = await app.add({
      name: "crashes",
      uri: `${web.address}/crashes`,
    });
    await screenWatch.until(shows(green), "the page that will crash");
    await app.add({ name: "hangs", uri: `${web.address}/hangs` });
    await app.control("next");
    await screenWatch.until(shows(blue), "the page that will hang");
    web.answers.set("/now", 204);
    // Its own duration is far longer than this timeout.
    await screenWatch.until(shows(green), "the other one");
    await expect
      .poll(() => reasonOf(app, "hangs"))
      .toContain("stopped responding");

    await app.addFile(png(red, 1280, 720), {
      ...{ name: "red", mimetype: "image" },
    });
    // The first is the stage's; a spare process for a page is killed along with the page's.
    const [, ...pages] = await renderersOf(app.process.pid ?? 0);
    for (const pid of pages) process.kill(pid, "SIGKILL");
    await screenWatch.until(
      shows(red),
      "what comes after the one that crashed",
    );
    await expect
      .poll(() => reasonOf(app, String(crashes.name)))
      .toContain("crashed");
  });

  it("[V2-175] with an untrusted certificate is only shown where its asset allows it", async () => {
    const web = await serveWeb({ "/": colouredPage(blue) }, { isSecure: true });
    const { app, screenWatch } = one;
    const page = await app.add({
      ...{ name: "tls", uri: `${web.address}/`, skip_asset_check: true },
    });
    await expect.poll(() => reasonOf(app, "tls")).toContain("certificate");
    await app.change(page.asset_id, { skip_ssl_verify: true });
    await screenWatch.until(shows(blue), "the page");
  });

  it("[V2-178] that need not be rendered here is shown as a screenshot, which is reused for its time", async () => {
    const web = await serveWeb({
      "/": dot("rgb(200,40,40)", 320).replace("#fff", "rgb(30,160,60)"),
    });
    const { app, screenWatch } = one;
    const page = await app.add({
      ...{ name: "still", uri: `${web.address}/`, skip_asset_check: true },
      ...{ player_side_render: false, duration: 1 },
    });
    const isIt = (frame: Frame): boolean =>
      isNear(colourAt(frame, 10, 10), red) &&
      isNear(colourAt(frame, 50, 30), green);
    await screenWatch.until(isIt, "the image of the page");
    await app.addFile(png(blue, 1280, 720), {
      ...{ name: "blue", mimetype: "image", duration: 1 },
    });
    for (let round = 0; round < 2; round += 1) {
      await screenWatch.until(shows(blue), "blue");
      await screenWatch.until(isIt, "the image again");
    }
    expect(web.requests.filter(({ url }) => url === "/")).toHaveLength(1);
    // It is reloaded for other request options, as on any other change.
    await app.change(page.asset_id, { user_agent: "Other/1" });
    await expect
      .poll(() => web.requests.at(-1)?.headers["user-agent"])
      .toBe("Other/1");
  });

  it("[V2-703] that is shown as a screenshot keeps its last one while its server does not respond, and is not blamed", async () => {
    const web = await serveWeb({ "/": colouredPage(red) });
    const { app, screenWatch } = one;
    await app.add({
      ...{ name: "still", uri: `${web.address}/`, skip_asset_check: true },
      ...{ player_side_render: false, screenshot_cache_seconds: 1 },
      duration: 1,
    });
    for (const [name, colour] of Object.entries({ green, blue }))
      await app.addFile(png(colour, 1280, 720), {
        ...{ name, mimetype: "image", duration: 1 },
      });
    await screenWatch.until(shows(red), "the page");
    web.answers.set("/", silence);
    // Late three times, it would be in quarantine.
    for (let round = 0; round < 4; round += 1) {
      await screenWatch.until(shows(blue), "what comes before it");
      await screenWatch.until(shows(red), "its last screenshot", 20_000);
    }
    expect(await reasonOf(app, "still")).toBe("");
    expect(app.output()).not.toContain("app.internal-error");
    web.answers.set("/", colouredPage([200, 180, 40]));
    await screenWatch.until(shows([200, 180, 40]), "a new one", minuteMs);
  });

  it("[V2-860] that is shown as a screenshot has the reason at the asset while no newer one can be taken, alone on the screen or with others", async () => {
    const web = await serveWeb({ "/": colouredPage(red) });
    const { app, screenWatch } = one;
    await app.add({
      ...{ name: "still", uri: `${web.address}/`, skip_asset_check: true },
      ...{ player_side_render: false, screenshot_cache_seconds: 1 },
      duration: 1,
    });
    await screenWatch.until(shows(red), "the page");
    web.answers.set("/", 500);
    await expect.poll(() => reasonOf(app, "still")).toContain("status 500");
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 1 },
    });
    await screenWatch.until(shows(green), "what comes after it");
    await screenWatch.until(shows(red), "its last screenshot");
    await expect.poll(() => reasonOf(app, "still")).toContain("status 500");
    web.answers.set("/", colouredPage(blue));
    await screenWatch.until(shows(blue), "a new one");
    await expect.poll(() => reasonOf(app, "still")).toBe("");
  });

  it("[V2-180] follows the display's orientation: rotated by 90 degrees, its top is where the display's is", async () => {
    const web = await serveWeb({ "/": dot("rgb(200,40,40)", 180) });
    const { app, screenWatch } = one;
    await app.add({ name: "page", uri: `${web.address}/` });
    const corners: readonly (readonly [number, number, number])[] = [
      [0, 1, 1],
      [90, 62, 1],
      [180, 62, 34],
      [270, 1, 34],
    ];
    for (const [orientation, column, line] of corners) {
      await set(app, { screen_rotation: orientation });
      await screenWatch.until(
        (frame) =>
          isNear(colourAt(frame, column, line), red) &&
          corners
            .filter(([other]) => other !== orientation)
            .every(([, x, y]) =>
              isNear(colourAt(frame, x, y), [255, 255, 255]),
            ),
        `its corner at ${orientation} degrees`,
      );
    }
  });
});
