// The pointer on the screen: hidden, whatever a page requests; in kiosk mode the X server itself draws none.

import { expect, it } from "vitest";
import { takePointer } from "../support/screen/cursor.ts";
import { openDrawnScreen } from "../support/screen/screen-memory.ts";
import { press } from "../support/screen/keyboard.ts";
import type { Colour } from "../support/media/media.ts";
import { set } from "../support/app/shared-screen.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
} from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";
import { serveWeb } from "../support/http/web-server.ts";

const blue: Colour = [40, 60, 200];
const fullPage = "display:block;border:0;width:100vw;height:100vh";
const ground = `<!doctype html><body style="margin:0;background:rgb(${blue.join()})"><script>
  onmousemove = () => fetch("/moved");
</script>`;
const framed = `${ground}<iframe src="/inside" style="${fullPage}"></iframe>`;
const important = `${ground}<style>.it { cursor: pointer !important }</style><div class="it" style="${fullPage}"></div>`;
const inline = `${ground}<div style="${fullPage};cursor:wait !important"></div>`;
const shadow = `${ground}<div id="host"></div><script>
  host.attachShadow({ mode: "open" }).innerHTML = '<a href="#" style="${fullPage}"></a>';
</script>`;

it.each([
  ["a rule of weight", important],
  ["a rule of weight at the element", inline],
  ["a link in a shadow tree", shadow],
  ["a rule of weight in a frame", framed],
])(
  "[V2-371] the pointer is invisible on a page that requests it by %s",
  async (_by, page) => {
    const screen = await openScreen();
    const screenWatch = watchScreen(screen);
    const app = await startApp({ screen, flags: ["--no-manager"] });
    const web = await serveWeb({ "/": page, "/inside": important });
    await app.add({ name: "page", uri: `${web.address}/`, duration: 600 });
    await screenWatch.until(
      (frame) => isNear(meanOf(frame), blue, 12),
      "the page",
    );
    const pointer = await takePointer(screen);
    await pointer.moveTo(300, 200);
    await pointer.moveTo(640, 360);
    const isMoved = () => web.requests.some(({ url }) => url === "/moved");
    await expect.poll(isMoved).toBe(true);
    await expect.poll(pointer.isSeen).toBe(false);
    pointer.close();
  },
);

it("[V2-371] the pointer is invisible while the screen is locked, with or without a frame that requests it, and visible on the PIN pad", async () => {
  const { screen, hasMark } = await openDrawnScreen();
  const screenWatch = watchScreen(screen);
  const app = await startApp({ screen, flags: ["--no-manager"] });
  const web = await serveWeb({ "/": framed, "/inside": inline });
  await app.add({ name: "page", uri: `${web.address}/`, duration: 600 });
  await screenWatch.until(
    (frame) => isNear(meanOf(frame), blue, 12),
    "the page",
  );
  // Taking a screenshot hides the pointer, so the watch stops first.
  await screenWatch.stop();
  const pointer = await takePointer(screen);
  let x = 200;
  const isDrawn = async (): Promise<boolean> => {
    x = x === 200 ? 260 : 200;
    await pointer.moveTo(x, 60);
    return hasMark(x, 60);
  };
  await expect.poll(isDrawn).toBe(true);

  await set(app, { profile: "unattended" });
  await expect.poll(isDrawn).toBe(false);
  for (let attempt = 0; attempt < 20; attempt += 1)
    expect(await isDrawn()).toBe(false);

  await press(screen, "Ctrl", "Alt", "Shift", "E");
  await expect.poll(isDrawn).toBe(true);
  // A key pressed before the PIN pad is drawn is ignored.
  const isLeft = () => press(screen, "Escape").then(isDrawn);
  await expect.poll(isLeft).toBe(false);
  await set(app, { profile: "desk" });
  await expect.poll(isDrawn).toBe(true);
  pointer.close();
});
