// Loads the manager's first page with an empty cache over a slow connection, and says when its content was visible.

import type { CDPSession, Page } from "playwright";
import type { Browser } from "../../support/browser/browser.ts";

export interface FirstPage {
  /** From the request of the page to the frame in which its content is visible. */
  readonly visibleMs: number;
  /** As received, headers included. */
  readonly bytes: number;
  readonly requests: number;
}

const slowConnection = {
  ...{ offline: false, latency: 40 },
  downloadThroughput: 20_000_000 / 8,
  uploadThroughput: 20_000_000 / 8,
};

/** Its content is visible when the page names what is on the screen. */
export async function loadFirstPage(
  browser: Browser,
  address: string,
  name: string,
): Promise<FirstPage> {
  const page = await browser.open("about:blank");
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.clearBrowserCache");
    await session.send("Network.emulateNetworkConditions", slowConnection);
    const received = countReceived(session);
    await watchFor(page, name);
    await page.goto(address, { waitUntil: "commit" });
    const visible = await page.waitForFunction(() =>
      Number(document.documentElement.dataset["visibleAt"] ?? 0),
    );
    const visibleMs = await visible.jsonValue();
    const origin = await page.evaluate(() => performance.timeOrigin);
    return { visibleMs, ...received.until(origin + visibleMs) };
  } finally {
    await page.close();
  }
}

/** Notes the moment of the first frame that has these letters in the main part of the page. */
async function watchFor(page: Page, name: string): Promise<void> {
  await page.addInitScript((letters: string) => {
    const look = (): void => {
      const main = document.querySelector("main");
      if (main?.textContent?.includes(letters) === true)
        document.documentElement.dataset["visibleAt"] = String(
          performance.now(),
        );
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, name);
}

function countReceived(session: CDPSession) {
  const requests: number[] = [];
  const parts: { readonly at: number; readonly bytes: number }[] = [];
  session.on("Network.requestWillBeSent", ({ request }) => {
    if (request.url.startsWith("http")) requests.push(Date.now());
  });
  session.on("Network.dataReceived", ({ encodedDataLength }) => {
    parts.push({ at: Date.now(), bytes: encodedDataLength });
  });
  session.on("Network.responseReceived", ({ response }) => {
    parts.push({ at: Date.now(), bytes: response.encodedDataLength });
  });
  return {
    until: (moment: number): Pick<FirstPage, "bytes" | "requests"> => ({
      requests: requests.filter((at) => at <= moment).length,
      bytes: parts
        .filter(({ at }) => at <= moment)
        .reduce((total, { bytes }) => total + bytes, 0),
    }),
  };
}
