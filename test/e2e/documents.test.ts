// The commands of the README and the API guide, run as they are written, on a real player and a real content service.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isPackaged } from "../support/app/program.ts";
import { startApp } from "../support/app/start-app.ts";
import { contentKey, serveContent } from "../support/content/start-content.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
} from "../support/screen/screen.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const green: Colour = [40, 180, 60];

/** The shell commands of a document, one text per block. */
function blocksOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(
    ([, block]) => block ?? "",
  );
}

/** Runs them one after the other, in one shell and a folder with the image that they upload; resolves with their output. */
async function runBlocks(
  blocks: readonly string[],
  replaced: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, "welcome.png"), png(green, 640, 360));
  // Larger than the piece that the guide sends.
  writeFileSync(join(folder, "film.mp4"), Buffer.alloc(2 ** 21));
  let script = blocks.join("\n");
  for (const [written, actual] of Object.entries(replaced)) {
    expect(script).toContain(written);
    script = script.replaceAll(written, actual);
  }
  const { stdout } = await run(
    "bash",
    [
      "-euo",
      "pipefail",
      "-c",
      script.replaceAll("curl -s", "curl -sS --fail-with-body"),
    ],
    { cwd: folder },
  );
  return stdout;
}

async function startPlayer() {
  const screen = await openScreen();
  const screenWatch = watchScreen(screen);
  const app = await startApp({
    ...{ screen, flags: ["--no-manager", "--window", "fullscreen"] },
  });
  const showsImage = () =>
    screenWatch.until((frame) => isNear(meanOf(frame), green), "the image");
  return { api: app.api, showsImage };
}

describe.runIf(process.platform === "linux" && !isPackaged)(
  "the commands of",
  () => {
    const quickStart = blocksOf("README.md").filter((block) =>
      block.includes("curl"),
    );

    it("the README's first playlist put an image on the screen", async () => {
      const { api, showsImage } = await startPlayer();
      const output = await runBlocks(quickStart.slice(0, 1), {
        "http://127.0.0.1:8080": api,
      });
      expect(output).toContain('"Welcome"');
      await showsImage();
    });

    it("the README's content service put a playlist on a paired screen", async () => {
      const { api, showsImage } = await startPlayer();
      const service = await serveContent(await temporaryFolder());
      await runBlocks(quickStart.slice(1), {
        "http://127.0.0.1:8080": api,
        "http://127.0.0.1:8090": service.address,
        "key=KEY": `key=${contentKey}`,
      });
      await showsImage();
    });

    it("the guide to the player's API run in their order", async () => {
      const { api } = await startPlayer();
      const output = await runBlocks(blocksOf("build/guides/player-api.md"), {
        "http://127.0.0.1:8080": api,
      });
      expect(output).toContain('"Lunch"');
      expect(output).toContain('"token"');
    });
  },
);
