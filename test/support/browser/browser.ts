// Opens pages in a real Chromium: that of the project's Electron, as a program of its own without anything of Vitrine.

import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { _electron, type Page } from "playwright";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { temporaryFolder, type AtEnd } from "../folder.ts";
import { programEnvironment } from "../app/program.ts";
import { openScreen } from "../screen/screen.ts";

/** The whole browser: windows without anything of Vitrine in them, each at an address that the test gives. */
const main = `
const { app, BrowserWindow } = require("electron");
app.on("window-all-closed", () => {});
const trusted = new Set();
global.trust = (cert) => trusted.add(cert.trim());
app.on("certificate-error", (event, _contents, _url, _error, { data }, answer) => {
  const isTrusted = trusted.has(data.trim());
  if (isTrusted) event.preventDefault();
  if (isTrusted) answer(true);
});
global.openWindow = async (address, width, height, partition) => {
  const window = new BrowserWindow({
    ...{ width, height, useContentSize: true, frame: false },
    webPreferences: { sandbox: true, contextIsolation: true, partition },
  });
  // As a person who leaves a page that asks.
  window.webContents.on("will-prevent-unload", (event) => event.preventDefault());
  await window.loadURL(address);
};
`;

const electron = createRequire(import.meta.url)("electron") as string;

export interface Browser {
  /** From now on, as if a person had compared its fingerprint. It is PEM. */
  trust(certificate: string): Promise<void>;
  /** A script that the policy of the page need not allow. */
  run(page: Page, script: string): Promise<void>;
  /** `person` has cookies of their own. */
  open(
    address: string,
    width?: number,
    height?: number,
    person?: string,
  ): Promise<Page>;
}

/** On a screen of its own, with a profile of its own. */
export async function openBrowser(
  atEnd: AtEnd,
  language = "en_GB.UTF-8",
): Promise<Browser> {
  const screen = await openScreen(1400, 900);
  atEnd(screen.close);
  const profile = await temporaryFolder(atEnd);
  const program = path.join(await temporaryFolder(atEnd), "browser.cjs");
  await writeFile(program, main);
  const app = await _electron.launch({
    executablePath: electron,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ...[`--user-data-dir=${profile}`, program],
    ],
    env: {
      ...(programEnvironment as Record<string, string>),
      ...{ DISPLAY: screen.display, LANG: language, LC_ALL: language },
      LANGUAGE: language.split(".")[0] ?? "",
    },
  });
  atEnd(() => app.close());
  app.context().setDefaultTimeout(waitDeadlineMs);
  return {
    trust: (certificate) =>
      app.evaluate((_electron, cert) => {
        (globalThis as unknown as { trust(cert: string): void }).trust(cert);
      }, certificate),
    run: async (page, script) => {
      const address = page.url();
      await app.evaluate(
        async ({ BrowserWindow }, { address, script }) => {
          const window = BrowserWindow.getAllWindows().find(
            ({ webContents }) => webContents.getURL() === address,
          );
          await window?.webContents.executeJavaScript(script);
        },
        { address, script },
      );
    },
    open: async (address, width = 1360, height = 860, person = "") => {
      const opened = app.waitForEvent("window");
      await app.evaluate(
        (_electron, { address, width, height, person }) =>
          (
            globalThis as unknown as {
              openWindow(
                to: string,
                across: number,
                down: number,
                partition: string,
              ): Promise<void>;
            }
          ).openWindow(address, width, height, person),
        { address, width, height, person },
      );
      return opened;
    },
  };
}
