// What a page of the manager in a browser must not do: throw, report errors, or ask anybody but its own server.

import type { Page } from "playwright";

/** What a page did that it must not do. */
export function watchFaults(page: Page, address: string): readonly string[] {
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => {
    // A rejected request of the page itself is in the console too.
    if (message.type() === "error" && !message.text().includes("status of"))
      faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && !url.startsWith(address))
      faults.push(url);
  });
  return faults;
}
