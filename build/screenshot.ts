// Saves a screenshot of the player's screen: node build/screenshot.ts FILE.png [--api URL]

import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../electron/config.ts";
import { apiAddress } from "./start/api-address.ts";

const usage = "Usage: npm run screen -- FILE.png [--api http://127.0.0.1:PORT]";
const withinMs = 15_000;
const pngBeginning = Buffer.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,
]);

class ScreenshotFailure extends Error {}

const options = readOptions();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    const screenshot = await fetchScreenshot(options.api);
    await save(screenshot, options.file);
    const [width, height] = [
      screenshot.readUInt32BE(16),
      screenshot.readUInt32BE(20),
    ];
    console.log(
      `${options.file}: ${width}×${height}, ${screenshot.length} bytes`,
    );
  } catch (error) {
    console.error(
      error instanceof ScreenshotFailure
        ? error.message
        : `The screenshot could not be saved: ${String(error)}`,
    );
    process.exitCode = 1;
  }
}

function readOptions(): { file: string; api: string } | undefined {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { api: { type: "string" } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return undefined;
    const api = new URL(values.api ?? defaultAddress());
    if (api.protocol !== "http:" && api.protocol !== "https:") return undefined;
    return { file: resolve(file), api: api.href.replace(/\/+$/, "") };
  } catch {
    return undefined;
  }
}

function defaultAddress(): string {
  const reading = readConfig([], process.env);
  if (!reading.ok) throw new Error(reading.message);
  return apiAddress(reading.value);
}

async function fetchScreenshot(api: string): Promise<Buffer> {
  const token = process.env.VITRINE_API_TOKEN;
  const answer = await fetch(`${api}/api/v2/screenshot`, {
    headers: token ? { authorization: `Bearer ${token}` } : {},
    signal: AbortSignal.timeout(withinMs),
  }).catch(() => {
    throw new ScreenshotFailure(
      `Nothing answers at ${api}. Is the player running, and is this its address?`,
    );
  });
  if (!answer.ok)
    throw new ScreenshotFailure(
      `${api} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`,
    );
  const screenshot = Buffer.from(await answer.arrayBuffer());
  const isPng =
    answer.headers.get("content-type")?.startsWith("image/png") &&
    screenshot.indexOf(pngBeginning) === 0;
  if (!isPng)
    throw new ScreenshotFailure(
      `${api} answered something that is not a PNG image.`,
    );
  return screenshot;
}

async function save(screenshot: Buffer, file: string): Promise<void> {
  const aside = `${file}.${process.pid}.part`;
  try {
    await writeFile(aside, screenshot);
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}
