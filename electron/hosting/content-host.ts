// Hosts the content service on this PC: a child process that the operator switches on and off, restarted when it dies, ended with
// the app.

import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { connectionSentences } from "../../server/contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../server/contract/sentence-templates.ts";
import type {
  HostedAnswer,
  HostedCall,
  HostedCalls,
  HostingView,
  HostingSettings,
} from "../../server/contract/content-host.ts";
import { hostingSettings } from "../../server/contract/ipc/ipc-pc.ts";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import { replaceFile } from "../../server/platform/files/replace-file.ts";

/** One run of the service: a utility process of Electron, or in tests a child of Node. */
export interface HostedChild {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: () => void): void;
  kill(): void;
}

export interface ContentHostOptions {
  readonly fork: () => HostedChild;
  /** The service's own folder. */
  readonly dataDir: string;
  /** Where the operator's settings are stored. */
  readonly settingsFile: string;
  readonly version: string;
  /** Whether a service that others can reach announces itself to the network (L-57). */
  readonly isDiscoverable: boolean;
  readonly sqliteBinding?: string | undefined;
  /** The folder of the manager that the service serves to browsers. */
  readonly managerDir: string;
  readonly log: Log;
  readonly now: () => number;
  /** By default the pause grows after each death. */
  readonly pauseMs?: (deaths: number) => number;
}

/** Omitted settings stay as they are. */
type HostingChange = {
  readonly [Name in keyof HostingSettings]?: HostingSettings[Name] | undefined;
};

export interface ContentHost {
  view(): HostingView;
  /** Resolves when the service is on, off, or has reported why it is not on. */
  change(change: HostingChange): Promise<HostingView>;
  call<Call extends Exclude<HostedCall, "start" | "stop">>(
    call: Call,
    input: HostedCalls[Call]["input"],
  ): Promise<HostedCalls[Call]["answer"]>;
  /** Address of the service and the manager's own key; throws `unavailable` while it is not on. */
  access(): { readonly address: string; readonly key: string };
  onChanged(listener: (view: HostingView) => void): () => void;
  /** Starts it where the operator has switched it on. */
  wake(): Promise<void>;
  stop(): Promise<void>;
}

/** Next to the player's 8080, and the service's own default. */
const byDefault: HostingSettings = {
  ...{ isOn: false, port: 8090, reach: "this-pc" },
  ...{ certificate: null, certificateKey: null },
};

/** A service that dies this often within this time is not restarted until somebody switches it on again. */
const maxDeaths = 5;
const deathsWithinMs = 600_000;
const graceMs = 2_500;

export function createContentHost(options: ContentHostOptions): ContentHost {
  const { log, now } = options;
  const pauseMs = options.pauseMs ?? ((deaths) => 500 * 2 ** (deaths - 1));
  const listeners = new Set<(view: HostingView) => void>();
  let settings = byDefault;
  let state: HostingView["state"] = "off";
  let reason: string | null = null;
  let sinceMs: number | null = null;
  let restarts = 0;
  let deaths: number[] = [];
  let run: Run | null = null;
  let waiting: NodeJS.Timeout | null = null;
  // Changes are serialised: a switch flipped quickly ends where it was left.
  let lastTask: Promise<unknown> = Promise.resolve();

  const view = (): HostingView => ({
    ...settings,
    ...{ state, reason, sinceMs, restarts },
    address: state === "on" ? (run?.address ?? null) : null,
    dataDir: options.dataDir,
  });

  function become(next: HostingView["state"], why: string | null = null): void {
    state = next;
    reason = why;
    sinceMs = next === "off" ? null : now();
    for (const listener of listeners) listener(view());
  }

  async function start(): Promise<void> {
    become("starting");
    let started: Run;
    try {
      started = createRun(options.fork());
    } catch (error) {
      log.error("hosting.not-started", { error });
      return become("failed", sentenceOf(error));
    }
    run = started;
    started.onDeath(() => died(started));
    try {
      const { address, managerKey } = await started.call("start", {
        ...{ dataDir: options.dataDir, port: settings.port },
        host: settings.reach === "network" ? "0.0.0.0" : "127.0.0.1",
        ...{ tlsCert: settings.certificate ?? undefined },
        ...{ tlsKey: settings.certificateKey ?? undefined },
        ...{ version: options.version, sqliteBinding: options.sqliteBinding },
        isDiscoverable: options.isDiscoverable,
        managerDir: options.managerDir,
      });
      Object.assign(started, { address, managerKey });
      log.info("hosting.started", { address });
      become("on");
    } catch (error) {
      // A death is reported by its own event; what failed to start would fail again.
      if (run !== started) return;
      run = null;
      started.end().catch((failure: unknown) => {
        log.error("hosting.stop-failed", { error: failure });
      });
      log.error("hosting.failed", { error });
      become("failed", sentenceOf(error));
    }
  }

  function died(which: Run): void {
    if (run !== which) return;
    run = null;
    deaths = [...deaths.filter((at) => now() - at < deathsWithinMs), now()];
    log.error("hosting.exited", { deaths: deaths.length });
    if (!settings.isOn) return become("off");
    if (deaths.length >= maxDeaths)
      return become(
        "failed",
        composeSentence(connectionSentences["host-crashes"], {
          count: deaths.length,
        }),
      );
    restarts += 1;
    become("starting");
    waiting = setTimeout(() => {
      waiting = null;
      lastTask = lastTask.then(() =>
        settings.isOn && run === null ? start() : undefined,
      );
    }, pauseMs(deaths.length));
  }

  async function end(): Promise<void> {
    if (waiting) clearTimeout(waiting);
    waiting = null;
    const ending = run;
    run = null;
    if (!ending) return;
    await Promise.race([
      ending.call("stop", null).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, graceMs).unref()),
    ]);
    await ending.end();
  }

  async function obey(change: HostingChange): Promise<HostingView> {
    const next = { ...settings, ...withoutUndefined(change) };
    if (next.reach === "network" && next.isOn && !hasCertificate(next))
      throw new Failure("invalid", connectionSentences["host-unencrypted"]);
    settings = next;
    await keep(options.settingsFile, settings);
    restarts = 0;
    deaths = [];
    await end();
    if (settings.isOn) await start();
    else become("off");
    return view();
  }

  return {
    view,
    change: (change) => {
      const obeyed = lastTask.then(() => obey(change));
      lastTask = obeyed.catch(() => undefined);
      return obeyed;
    },
    call: (call, input) => {
      if (run === null || state !== "on")
        return Promise.reject(notRunning(reason));
      return run.call(call, input);
    },
    access: () => {
      if (state !== "on" || !run) throw notRunning(reason);
      return { address: run.address, key: run.managerKey };
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    wake: async () => {
      lastTask = lastTask.then(async () => {
        settings = await kept(options.settingsFile);
        if (settings.isOn) await start();
      });
      await lastTask;
    },
    stop: async () => {
      // The stored setting stays as it is: the next start of the app follows it again.
      settings = { ...settings, isOn: false };
      await end();
      state = "off";
    },
  };
}

interface Run {
  readonly address: string;
  readonly managerKey: string;
  call<Call extends HostedCall>(
    call: Call,
    input: HostedCalls[Call]["input"],
  ): Promise<HostedCalls[Call]["answer"]>;
  onDeath(listener: () => void): void;
  /** Resolves when nothing of it is left. */
  end(): Promise<void>;
}

function createRun(child: HostedChild): Run {
  const open = new Map<number, (answer: HostedAnswer) => void>();
  let count = 0;
  let isDead = false;
  let notifyDeath = (): void => undefined;
  let notifyGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => (notifyGone = resolve));
  child.onMessage((message) => {
    const answer = message as HostedAnswer;
    open.get(answer.number)?.(answer);
    open.delete(answer.number);
  });
  child.onExit(() => {
    isDead = true;
    for (const [number, give] of open)
      give({
        ...{ number, ok: false, code: "unavailable" },
        message: connectionSentences["host-stopped"],
      });
    open.clear();
    notifyDeath();
    notifyGone();
  });
  return {
    address: "",
    managerKey: "",
    call: (call, input) =>
      new Promise((resolve, reject) => {
        if (isDead) return reject(notRunning());
        const number = (count += 1);
        open.set(number, (answer) => {
          if (answer.ok) resolve(answer.value as never);
          else if (answer.code === "bug") reject(new Error(answer.message));
          else reject(new Failure(answer.code as "invalid", answer.message));
        });
        child.post({ number, call, input });
      }),
    onDeath: (listener) => (notifyDeath = listener),
    end: () => {
      if (!isDead) child.kill();
      return gone;
    },
  };
}

function hasCertificate(settings: HostingSettings): boolean {
  return settings.certificate !== null && settings.certificateKey !== null;
}

function withoutUndefined(change: HostingChange): Partial<HostingSettings> {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  );
}

function notRunning(reason: string | null = null): Failure {
  return new Failure(
    "unavailable",
    reason === null
      ? connectionSentences["host-off"]
      : composeSentence(connectionSentences["host-off-because"], { reason }),
  );
}

async function kept(file: string): Promise<HostingSettings> {
  try {
    const read = JSON.parse(await readFile(file, "utf8")) as object;
    const parsed = hostingSettings.safeParse({ ...byDefault, ...read });
    return parsed.success ? parsed.data : byDefault;
  } catch {
    return byDefault;
  }
}

async function keep(file: string, settings: HostingSettings): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, JSON.stringify(settings, null, 1));
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
