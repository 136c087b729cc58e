// Electron's security checklist, where it can be seen in the sources; and that build/guides/electron-security.md names tests that exist.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const electronSources = sourcesBelow("electron");

function sourcesBelow(
  folder: string,
): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(path.join(root, folder), {
    recursive: true,
    encoding: "utf8",
  })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({
      file: path.posix.join(folder, name.replaceAll(path.sep, "/")),
      text: readFileSync(path.join(root, folder, name), "utf8"),
    }));
}

/** Files of electron in which this stands. */
function holding(pattern: RegExp): readonly string[] {
  return electronSources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file);
}

describe("the main process", () => {
  it("isolates and sandboxes every page, and gives none Node", () => {
    const makers = electronSources.filter(({ text }) =>
      /new (WebContentsView|BrowserWindow)\(/.test(text),
    );
    expect(makers.length).toBeGreaterThan(3);
    for (const { file, text } of makers) {
      const pages = text.match(/new (WebContentsView|BrowserWindow)\(/g) ?? [];
      const webPreferences = text.match(/webPreferences/g) ?? [];
      expect(webPreferences.length, file).toBeGreaterThanOrEqual(pages.length);
      expect(text, file).toMatch(/sandbox: true|pagePreferences\(/);
      expect(text, file).toMatch(/contextIsolation: true|pagePreferences\(/);
    }
    expect(
      holding(
        /sandbox: false|contextIsolation: false|nodeIntegration(InWorker|InSubFrames)?: true/,
      ),
    ).toEqual([]);
  });

  it("disables no protection", () => {
    expect(
      holding(
        /webSecurity|allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|allowpopups|disable-web-security|ignore-certificate-errors/,
      ),
    ).toEqual([]);
    // One page holds another, to turn it.
    expect(holding(/webviewTag/)).toEqual(["electron/web/web-frame.ts"]);
  });

  it("opens nothing outside", () => {
    expect(holding(/openExternal/)).toEqual([]);
    // Folders of the player's own, chosen by name and never by path.
    expect(
      holding(/openPath\((?!which === "log" \?|screenshotFolder\(\)\))/),
    ).toEqual([]);
  });

  it("listens to pages in one place", () => {
    expect(holding(/\bipcMain\b/)).toEqual(["electron/ipc.ts"]);
  });

  it("loads nothing by file:", () => {
    expect(holding(/\bloadFile\(|["'`]file:\/\//)).toEqual([]);
  });

  it("gives pages only their contract functions", () => {
    for (const { file, text } of electronSources) {
      if (!file.startsWith("electron/preload/")) continue;
      expect(text, file).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer\b/);
      expect(text, file).toMatch(/contextBridge\.exposeInMainWorld/);
    }
  });
});

describe("our pages", () => {
  const pages = readdirSync(path.join(root, "renderer"), {
    withFileTypes: true,
    // The message catalogues are no page.
  }).filter((entry) => entry.isDirectory() && entry.name !== "locales");

  it.each(pages.map(({ name }) => name))(
    "gives every page of ours a policy: %s",
    (name) => {
      const page = readFileSync(
        path.join(root, "renderer", name, "index.html"),
        "utf8",
      );
      const policy = /Content-Security-Policy"\s+content="([^"]+)"/.exec(
        page,
      )?.[1];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe|\*/);
    },
  );
});

describe("build/guides/electron-security.md", () => {
  const table = readFileSync(
    path.join(root, "build/guides/electron-security.md"),
    "utf8",
  );

  it("has all twenty lines, each with a test that exists", () => {
    const lines = [...table.matchAll(/^\| (\d+) /gm)].map(([, number]) =>
      Number(number),
    );
    expect(lines).toEqual(Array.from({ length: 20 }, (_line, at) => at + 1));
    const named = [
      ...table.matchAll(/`(test\/[\w/.-]+\.test\.ts)`: ([^;|()]+)/g),
    ];
    expect(named.length).toBeGreaterThan(20);
    for (const [, file = "", title = ""] of named)
      expect(
        readFileSync(path.join(root, file), "utf8"),
        `${file}: ${title}`,
      ).toContain(title.trim());
  });
});
