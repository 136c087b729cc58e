// Starts the real app as a user does, on a screen and a data folder of its own.

import {
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
} from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";
import {
  firstWords,
  isPackaged,
  program,
  programEnvironment,
} from "./program.ts";
import { programWords } from "../program-words.ts";
import type { VirtualScreen } from "../screen/screen.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface AppCalls {
  readonly api: string;
  /** Uploads bytes and creates an asset of them. */
  addFile(bytes: Buffer, fields: AssetFields): Promise<AssetV2>;
  add(fields: AssetFields & { uri: string }): Promise<AssetV2>;
  change(id: string, change: Record<string, unknown>): Promise<void>;
  remove(id: string): Promise<void>;
  control(command: string): Promise<void>;
}

export interface RunningApp extends AppCalls {
  readonly process: ChildProcess;
  readonly dataDir: string;
  /** Its output so far. */
  output(): string;
  /** Ends it as a system does; resolves with its exit code. */
  stop(): Promise<number | null>;
}

export type AssetFields = { readonly name: string } & Readonly<
  Record<string, unknown>
>;

export interface AppOptions {
  /** Without one the app gets a screen of its own. */
  readonly screen?: VirtualScreen;
  readonly flags?: readonly string[];
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function startApp(options: AppOptions): Promise<RunningApp> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const app = launch(
    ["--data-dir", dataDir, "--api-port", "0", ...(options.flags ?? [])],
    options.screen,
    options.env,
  );
  afterThisTest(app.stop);
  const api = await app.printed(/API (http:\/\/\S+)\s/);

  return {
    ...speakTo(api),
    process: app.process,
    dataDir,
    output: app.output,
    stop: app.stop,
  };
}

/** Client of a running app's interface. */
export function speakTo(api: string): AppCalls {
  const call = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(`${api}/api/v2${path}`, init);
    if (!response.ok)
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const send = (method: string, path: string, body: unknown) =>
    call(path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const add: RunningApp["add"] = async (fields) => {
    const body = {
      ...{ start_date: "2020-01-01", end_date: "2100-01-01", duration: 600 },
      ...{ is_enabled: true, mimetype: "webpage", ...fields },
    };
    return (await send("POST", "/assets", body)).json() as Promise<AssetV2>;
  };
  return {
    api,
    add,
    addFile: async (bytes, fields) => {
      const form = new FormData();
      form.set("file_upload", new Blob([new Uint8Array(bytes)]), "file");
      const upload = await call("/file_asset", { method: "POST", body: form });
      return add({ ...fields, ...((await upload.json()) as { uri: string }) });
    },
    change: async (id, change) => {
      await send("PATCH", `/assets/${id}`, change);
    },
    remove: async (id) => {
      await call(`/assets/${id}`, { method: "DELETE" });
    },
    control: async (command) => {
      await call(`/assets/control/${command}`);
    },
  };
}

export interface LaunchedApp {
  readonly process: ChildProcess;
  output(): string;
  /** The first group of the first match in its output; throws when it ends before. */
  printed(pattern: RegExp): Promise<string>;
  exit(): Promise<number | null>;
  stop(): Promise<number | null>;
}

export function launch(
  flags: readonly string[],
  screen?: VirtualScreen,
  more: Readonly<Record<string, string>> = {},
): LaunchedApp {
  const {
    DISPLAY: _own,
    WAYLAND_DISPLAY: _wayland,
    ...env
  } = programEnvironment;
  const [command, ...words] = isPackaged
    ? ([program, ...firstWords] as const)
    : programWords("start");
  const child = spawn(command, [...words, ...flags], {
    cwd: root,
    env: {
      ...env,
      ...(screen && { DISPLAY: screen.display, VITRINE_VIRTUAL_SCREEN: "1" }),
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return follow(child);
}

/** Output and exit of a started app. */
export function follow(
  child: ChildProcessByStdio<null, Readable, Readable>,
): LaunchedApp {
  let output = "";
  let notify = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      notify();
    });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    process: child,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const checkOutput = (): void => {
          const match = pattern.exec(output);
          if (match) resolve(match[1] ?? match[0]);
        };
        notify = checkOutput;
        checkOutput();
        void exited.then((code) => {
          reject(new Error(`the app ended with ${code}: ${output}`));
        });
      }),
    exit: () => exited,
    stop: () => {
      if (child.exitCode === null && child.signalCode === null)
        child.kill("SIGTERM");
      return exited;
    },
  };
}
