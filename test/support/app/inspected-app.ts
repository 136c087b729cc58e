// Starts the real app with access to its stage's page over the inspector instead of a test driver: with a driver, a page keeps
// everything it ever loaded, and seems to leak.

import { spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterThisTest } from "../after-this-test.ts";
import { removeFolder, type AtEnd } from "../folder.ts";
import { firstWords, program, programEnvironment } from "./program.ts";
import type { VirtualScreen } from "../screen/screen.ts";
import { follow, speakTo, type AppCalls } from "./start-app.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface InspectedApp extends AppCalls {
  readonly pid: number;
  /** Result of the function inside the stage's page; it has no access to variables of the test. */
  evaluate<T>(inside: () => T | Promise<T>): Promise<T>;
  /** Runs the code in the first page whose address contains these characters; null while there is none. */
  evaluateIn(address: string, code: string): Promise<unknown>;
  /** Of its JavaScript heap, in bytes. */
  heapBytes(): Promise<number>;
  /** The system setting for reduced motion. */
  setReducedMotion(isReduced: boolean): Promise<void>;
  /** Resolves with its exit code. */
  stop(): Promise<number | null>;
}

export async function startInspectedApp(
  screen: VirtualScreen,
  atEnd: AtEnd = afterThisTest,
): Promise<InspectedApp> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-asked-"));
  const child = spawn(
    program,
    [
      // With both flags a package treats this as a test driver.
      ...["--inspect=0", "--remote-debugging-port=0", ...firstWords],
      ...["--data-dir", path.join(dir, "data"), "--api-port", "0"],
      "--no-manager",
    ],
    {
      cwd: root,
      env: {
        ...programEnvironment,
        DISPLAY: screen.display,
        VITRINE_VIRTUAL_SCREEN: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const app = follow(child);
  const stop = async (): Promise<number | null> => {
    const code = await app.stop();
    await removeFolder(dir);
    return code;
  };
  atEnd(async () => {
    await stop();
  });
  const port = await app.printed(/DevTools listening on ws:\/\/[^:]+:(\d+)/);
  const api = await app.printed(/API (http:\/\/\S+)\s/);
  const send = await wireTo(await stageAt(Number(port)));
  const evaluateIn = async (address: string, code: string) => {
    const page = await pageAt(Number(port), (url) => url.includes(address));
    if (page === null) return null;
    const sendToPage = await wireTo(page);
    return sendToPage("Runtime.evaluate", { expression: code });
  };
  await send("Performance.enable");
  return {
    ...speakTo(api),
    pid: child.pid ?? 0,
    evaluate: async <T>(inside: () => T | Promise<T>) => {
      const { result, exceptionDetails } = (await send("Runtime.evaluate", {
        expression: `(${String(inside)})()`,
        ...{ returnByValue: true, awaitPromise: true },
        // It may do what the page's own scripts may.
        allowUnsafeEvalBlockedByCSP: false,
      })) as { result: { value: T }; exceptionDetails?: { text: string } };
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    evaluateIn,
    heapBytes: async () => {
      const { metrics } = (await send("Performance.getMetrics")) as {
        metrics: readonly { name: string; value: number }[];
      };
      return metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
    },
    setReducedMotion: async (isReduced) => {
      const value = isReduced ? "reduce" : "";
      const features = [{ name: "prefers-reduced-motion", value }];
      await send("Emulation.setEmulatedMedia", { features });
    },
    stop,
  };
}

/** Debugger address of the stage's page; available as soon as the app listens. */
async function stageAt(port: number): Promise<string> {
  const stage = await pageAt(port, (url) => url.startsWith("app://playback"));
  if (stage === null) throw new Error("The app has no stage.");
  return stage;
}

async function pageAt(
  port: number,
  isIt: (url: string) => boolean,
): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const pages = (await answer.json()) as readonly {
    url: string;
    webSocketDebuggerUrl: string;
  }[];
  return pages.find(({ url }) => isIt(url))?.webSocketDebuggerUrl ?? null;
}

type Send = (method: string, params?: object) => Promise<unknown>;

async function wireTo(address: string): Promise<Send> {
  const wire = new WebSocket(address);
  await new Promise((resolve, reject) => {
    wire.addEventListener("open", resolve);
    wire.addEventListener("error", reject);
  });
  const waiting = new Map<number, Wait>();
  let last = 0;
  wire.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    const wait = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error) wait?.reject(new Error(error.message));
    else wait?.resolve(result);
  });
  wire.addEventListener("close", () => {
    for (const { reject } of waiting.values())
      reject(new Error("The app has hung up."));
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      wire.send(JSON.stringify({ id: last, method, params }));
    });
}

interface Wait {
  resolve(result: unknown): void;
  reject(error: Error): void;
}
