// The demo's content service: on a free port of this PC, with a key of its own.

import { startProgram } from "./program.ts";

export interface DemoService {
  readonly address: string;
  readonly key: string;
  /** A request to version 3 of its interface; a plain object is sent as JSON. */
  send(
    method: string,
    path: string,
    body: FormData | object,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** The id of the label with this name, which is created the first time. */
  label(name: string): Promise<unknown>;
  addScreen(screen: {
    readonly pin: string;
    readonly name: string;
    readonly label: string;
  }): Promise<void>;
  stop(): Promise<void>;
}

export async function startDemoService(
  dataDir: string,
  signal: AbortSignal,
): Promise<DemoService> {
  const { printed, stop } = startProgram(
    ["server/content/main.ts", "--data-dir", dataDir, "--port", "0"],
    process.env,
    signal,
  );
  const key = await printed(/API key, shown only once: (\S+)/);
  const address = await printed(/ready: (http:\/\/\S+)/);
  const send: DemoService["send"] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${address}/api/v3${path}`, {
      method,
      headers: {
        Authorization: `Token ${key}`,
        ...(!isForm && { "Content-Type": "application/json" }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const labels = new Map<string, Promise<unknown>>();
  const label: DemoService["label"] = (name) => {
    const known =
      labels.get(name) ??
      send("POST", "/groups/", { name }).then(({ id }) => id);
    labels.set(name, known);
    return known;
  };
  return {
    ...{ address, key, send, label, stop },
    addScreen: async ({ pin, name, label: labelName }) => {
      const { id } = await send("POST", "/screens/", { pin, name });
      const groups = [{ id: await label(labelName) }];
      await send("PATCH", `/screens/${String(id)}/`, { groups });
    },
  };
}
