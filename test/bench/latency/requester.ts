// Requests that the latency benchmark sends to the player, over its interface, as any client does.

import type { LatencyScreen } from "./screens.ts";

export interface Requester {
  /** Adds an asset that is due for a day; returns its identifier. */
  add(name: string, body?: Readonly<Record<string, unknown>>): Promise<string>;
  control(command: string): Promise<void>;
  info(): Promise<void>;
  disable(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Resolves when the idle screen is visible. */
  removeAll(): Promise<void>;
  /** By one of `asset_id`, `text` and `url`. */
  takeOver(body: Readonly<Record<string, string>>): Promise<void>;
  endTakeover(): Promise<void>;
}

export function createRequester(
  address: string,
  latencyScreen: Pick<LatencyScreen, "pictureOf">,
): Requester {
  async function request(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${address}/api/v2${path}`, {
      method,
      ...(isForm && { body }),
      ...(!isForm &&
        body !== undefined && {
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  async function sourceOf(name: string): Promise<object> {
    const bytes = latencyScreen.pictureOf(name);
    if (!bytes)
      return {
        uri: `https://example.org/${encodeURIComponent(name)}`,
        ...{ mimetype: "webpage", skip_asset_check: true },
      };
    const form = new FormData();
    form.set("file_upload", new Blob([new Uint8Array(bytes)]), "a.png");
    const upload = (await request("POST", "/file_asset", form)) as object;
    return { ...upload, mimetype: "image" };
  }

  const remove = async (id: string): Promise<void> => {
    await request("DELETE", `/assets/${id}`);
  };
  async function isCardUp(): Promise<boolean> {
    const now = (await request("GET", "/now")) as {
      readonly showing: { readonly kind: string } | null;
    };
    return now.showing?.kind === "card";
  }

  return {
    add: async (name, body = {}) => {
      const created = (await request("POST", "/assets", {
        ...{ ...(await sourceOf(name)), name, is_enabled: true },
        ...{ start_date: "2020-01-01", end_date: "2100-01-01" },
        ...{ duration: 86_400, ...body },
      })) as { asset_id: string };
      return created.asset_id;
    },
    control: async (command) => {
      await request("GET", `/assets/control/${command}`);
    },
    info: async () => {
      await request("GET", "/info");
    },
    disable: async (id) => {
      await request("PATCH", `/assets/${id}`, { is_enabled: false });
    },
    remove,
    removeAll: async () => {
      const all = (await request("GET", "/assets")) as { asset_id: string }[];
      for (const { asset_id: id } of all) await remove(id);
      while (!(await isCardUp()));
    },
    takeOver: async (body) => {
      await request("POST", "/takeover", body);
    },
    endTakeover: async () => {
      await request("DELETE", "/takeover");
    },
  };
}
