// One of the demo's apps: started as a user does, and reached through its API.

import { startProgram } from "./program.ts";

export interface DemoApp {
  /** e.g. `http://127.0.0.1:41234` */
  readonly address: string;
  readonly ended: Promise<void>;
  /** Has the player ask this service for a PIN, and returns it. */
  pinFor(service: string): Promise<string>;
  connectTo(service: string, key: string): Promise<void>;
  stop(): Promise<void>;
}

export interface DemoAppOptions {
  readonly dataDir: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export async function startDemoApp({
  dataDir,
  flags,
  env,
  signal,
}: DemoAppOptions): Promise<DemoApp> {
  // Where its windows open is the same on a virtual screen.
  const { VITRINE_VIRTUAL_SCREEN: _, ...others } = env;
  const args = ["--data-dir", dataDir, "--api-port", "0", ...flags];
  const { printed, ended, stop } = startProgram(
    ["build/start.ts", ...args],
    others,
    signal,
  );
  const address = await printed(/API (http:\/\/\S+)\s/);
  const post = async (route: string, body: object): Promise<unknown> => {
    const response = await fetch(`${address}/api/v2${route}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  return {
    ...{ address, ended, stop },
    pinFor: async (service) => {
      const { pin } = (await post("/sync/pairing", { base_url: service })) as {
        pin: string;
      };
      return pin;
    },
    connectTo: async (service, key) => {
      await post("/sync/accounts", {
        ...{ base_url: service, token: key, name: "Demo" },
      });
    },
  };
}
