// Runs the tests and the servers under Node for Windows, through npm run windows.

import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The exit code on a machine that cannot run it. */
const cannotRunHere = 3;

/** Builds a separate Debian and runs half an hour of tests, so only on request: npm run long. */
it.runIf(process.env.VITRINE_LONG === "1")(
  "passes all tests and serves external clients under Node for Windows",
  async ({ skip }) => {
    const child = spawn("npm", ["run", "--silent", "windows"], {
      ...{ cwd: root, stdio: ["ignore", "pipe", "pipe"] },
      env: { ...process.env, VITRINE_LONG: "" },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    if (code === cannotRunHere) skip(printed.trim());
    expect(printed).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m);
    expect(code).toBe(0);
  },
);

/** Electron-builder takes half a minute until it gives up. */
it.runIf(process.env.VITRINE_LONG === "1")(
  "ends with 3 and says what is missing where the parts of the installer cannot be fetched",
  async () => {
    const mirror = http.createServer((_request, response) => {
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      mirror.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void mirror.close());
    const { port } = mirror.address() as AddressInfo;
    const child = spawn(
      process.execPath,
      ["test/long/windows/run.ts", "installer"],
      {
        ...{ cwd: root, stdio: ["ignore", "pipe", "inherit"] },
        env: {
          PATH: process.env.PATH,
          HOME: await temporaryFolder(),
          VITRINE_WINE: await temporaryFolder(),
          ELECTRON_BUILDER_CACHE: await temporaryFolder(),
          ELECTRON_BUILDER_BINARIES_MIRROR: `http://127.0.0.1:${port}/`,
        },
      },
    );
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    expect(printed).toMatch(
      /^SKIPPED the installer: it lacks NSIS, its plug-ins or 7-Zip, which electron-builder fetches from http:\S+; that answers 404\. Name the folders of NSIS and of its plug-ins in ELECTRON_BUILDER_NSIS_DIR /m,
    );
    expect(code).toBe(cannotRunHere);
  },
);
