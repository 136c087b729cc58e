// An Anthias player for tests: answers as recorded from release 2026.08.2, where it differs from the specification of version 2, too.

import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

export interface AnthiasAsset {
  asset_id: string;
  name: string;
  uri: string;
  start_date: string;
  end_date: string;
  duration: number;
  mimetype: string;
  is_enabled: boolean;
  nocache: boolean;
  play_order: number;
  skip_asset_check: boolean;
  is_active: boolean;
  is_processing: boolean;
  metadata: Record<string, unknown>;
}

export type AnthiasFault =
  /** A page in place of every answer. */
  | "html"
  /** Every request fails with 500. */
  | "broken"
  /** The response to the list comes byte by byte, for ever. */
  | "trickle"
  /** The list never ends. */
  | "endless"
  /** Every request is redirected to another server. */
  | "moved"
  | "full"
  /** The next creation is made, and its response is lost. */
  | "lose-creation";

export interface FakeAnthias {
  readonly address: string;
  /** In the order of their creation. */
  assets: AnthiasAsset[];
  /** Method and path of everything but GETs of lists and facts. */
  readonly requests: string[];
  /** Bytes of each upload that became an asset, by the asset. */
  readonly files: Map<string, Buffer>;
  login: { readonly username: string; readonly password: string } | null;
  fault: AnthiasFault | null;
  info: Record<string, unknown> | null;
  shown: string | null;
  /** Adds one by hand, as in its own web interface. */
  own(name: string, more?: Partial<AnthiasAsset>): AnthiasAsset;
  /** Names in the order in which they play. */
  playing(): readonly string[];
  close(): Promise<void>;
}

export async function fakeAnthias(): Promise<FakeAnthias> {
  const uploads = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const fake: FakeAnthias = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ assets: [], requests: [], files: new Map() },
    ...{ login: null, fault: null, shown: null },
    info: {
      viewlog: "Not yet implemented",
      ...{ loadavg: 0.25, free_space: "12G", display_power: "True" },
      ...{ up_to_date: true, version: "master@1a2b3c4" },
      ...{ device_model: "Raspberry Pi 4 Model B Rev 1.4" },
      uptime: { days: 2, hours: 3.5 },
    },
    own: (name, more = {}) => {
      const asset = assetOf({ name, ...more });
      fake.assets.push(asset);
      renumber(asset, fake.assets.length);
      return asset;
    },
    playing: () =>
      fake.assets
        .filter(({ is_active }) => is_active)
        .sort((one, other) => one.play_order - other.play_order)
        .map(({ name }) => name),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  afterThisTest(fake.close);

  /** Its fault: all active assets are numbered in the order of their creation, only this one at its place. */
  function renumber(changed: AnthiasAsset, place: number): void {
    const others = fake.assets.filter(
      (one) => one.is_active && one !== changed,
    );
    if (changed.is_active) others.splice(place, 0, changed);
    others.forEach((one, index) => {
      one.play_order = index;
    });
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", fake.address);
    const path = decodeURIComponent(url.pathname);
    const body = await bytesOf(request);
    const send = (status: number, json?: unknown): void => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(json === undefined ? "" : JSON.stringify(json));
    };
    const isWrite = method !== "GET" || path.includes("/control/");
    if (isWrite) fake.requests.push(`${method} ${path}`);
    if (fake.fault === "html") {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("<!doctype html><title>Sign in to the Wi-Fi</title>");
      return;
    }
    if (fake.fault === "moved") {
      response.writeHead(302, { Location: "http://192.0.2.1/" }).end();
      return;
    }
    if (fake.fault === "broken")
      return send(500, { error: "'NoneType' object has no attribute 'id'" });
    const { login } = fake;
    if (login) {
      const sent = headers.authorization;
      if (sent === undefined) {
        response.writeHead(302, { Location: `/login/?next=${path}` }).end();
        return;
      }
      const right = Buffer.from(`${login.username}:${login.password}`);
      if (sent !== `Basic ${right.toString("base64")}`)
        return send(401, { detail: "Invalid username/password." });
    }
    if (path === "/api/v2/info" && fake.info) return send(200, fake.info);
    if (path === "/api/v1/viewer_current_asset")
      return send(
        200,
        fake.assets.find(({ asset_id }) => asset_id === fake.shown) ?? [],
      );
    if (path === "/api/v2/assets" && method === "GET") {
      if (fake.fault === "endless") {
        response.writeHead(200, { "Content-Type": "application/json" });
        const piece = "[".repeat(1024 * 1024);
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        more();
        return;
      }
      if (fake.fault !== "trickle") return send(200, fake.assets);
      response.writeHead(200, { "Content-Type": "application/json" });
      const timer = setInterval(() => response.write("["), 20);
      response.on("close", () => clearInterval(timer));
      return;
    }
    if (path === "/api/v2/assets" && method === "POST")
      return create(
        JSON.parse(body.toString()) as AnthiasAsset,
        response,
        send,
      );
    if (path === "/api/v2/assets/order" && method === "POST") {
      const ids = new URLSearchParams(body.toString()).get("ids") ?? "";
      ids.split(",").forEach((id, place) => {
        const asset = fake.assets.find(({ asset_id }) => asset_id === id);
        if (asset) asset.play_order = place;
      });
      return send(204);
    }
    if (path.startsWith("/api/v2/assets/control/"))
      return send(200, "Asset switched");
    if (path === "/api/v2/reboot" && method === "POST") return send(200);
    if (path === "/api/v2/file_asset" && method === "POST")
      return upload(body, send);
    const id = /^\/api\/v2\/assets\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const asset = fake.assets.find(({ asset_id }) => asset_id === id);
      if (!asset)
        return send(404, { detail: "No Asset matches the given query." });
      if (method === "GET") return send(200, asset);
      if (method === "DELETE") {
        fake.assets = fake.assets.filter((one) => one !== asset);
        return send(204);
      }
      if (method === "PATCH")
        return change(
          asset,
          JSON.parse(body.toString()) as Partial<AnthiasAsset>,
          send,
        );
    }
    response.writeHead(404, { "Content-Type": "text/html" });
    response.end("<h1>Not Found</h1>");
  }

  type Send = (status: number, json?: unknown) => void;

  function create(
    sent: AnthiasAsset & { readonly ext?: string },
    response: ServerResponse,
    send: Send,
  ): void {
    const missing = ["name", "uri", "start_date", "end_date", "mimetype"].find(
      (field) => typeof sent[field as "name"] !== "string",
    );
    if (missing !== undefined)
      return send(400, { [missing]: ["This field is required."] });
    const file = uploads.get(sent.uri);
    if (sent.uri.startsWith("/") && !file)
      return send(400, { uri: ["Invalid file path. Failed to add asset."] });
    if (sent.mimetype === "video" && sent.duration !== 0)
      return send(500, { error: "Duration must be zero for video assets." });
    const names = fake.assets.map(({ name }) => name);
    let name = sent.name;
    for (let count = 1; names.includes(name); count += 1)
      name = `${sent.name}-${count}`;
    const { ext, ...fields } = sent;
    const asset = assetOf({ ...fields, name });
    if (file) {
      uploads.delete(sent.uri);
      fake.files.set(asset.asset_id, file);
      asset.uri = `/data/anthias_assets/${asset.asset_id}${ext ?? ""}`;
    }
    fake.assets.push(asset);
    renumber(asset, 0);
    if (fake.fault === "lose-creation") {
      fake.fault = null;
      response.destroy();
    } else send(201, asset);
  }

  function change(
    asset: AnthiasAsset,
    sent: Partial<AnthiasAsset>,
    send: Send,
  ): void {
    const { name, duration, is_enabled } = sent;
    if (name !== undefined) asset.name = name;
    // Of a video it is ignored without a word.
    if (duration !== undefined && asset.mimetype !== "video")
      asset.duration = duration;
    if (is_enabled !== undefined) asset.is_enabled = is_enabled;
    asset.is_active = asset.is_enabled;
    renumber(asset, asset.play_order);
    send(200, asset);
  }

  function upload(body: Buffer, send: Send): void {
    if (fake.fault === "full")
      return send(507, { detail: "No space left on the device." });
    const text = body.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const name = /name="file_upload"; filename="([^"]*)"/.exec(text)?.[1];
    if (name === undefined)
      return send(400, { file_upload: "No file uploaded." });
    const ext = /\.(png|jpg|webp|gif|mp4)$/.exec(name)?.[0];
    if (ext === undefined)
      return send(400, {
        file_upload: "Invalid file type. Expected image or video.",
      });
    const uri = `/data/anthias_assets/${hex()}.tmp`;
    const until = text.lastIndexOf("\r\n--");
    uploads.set(uri, body.subarray(end + 4, until));
    send(200, { uri, ext, upload_id: hex() });
  }

  return fake;
}

function assetOf(fields: Partial<AnthiasAsset>): AnthiasAsset {
  const is_enabled = fields.is_enabled ?? true;
  return {
    ...{ name: "", uri: "https://example.org/", mimetype: "webpage" },
    ...{ start_date: "2024-01-01T00:00:00Z", end_date: "2040-01-01T00:00:00Z" },
    ...{ duration: 10, nocache: false, play_order: 0 },
    ...{ skip_asset_check: false, is_processing: false, metadata: {} },
    ...fields,
    // A boolean, where the specification has a text.
    ...{ asset_id: hex(), is_enabled, is_active: is_enabled },
  };
}

function hex(): string {
  return randomUUID().replaceAll("-", "");
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>)
    chunks.push(chunk);
  return Buffer.concat(chunks);
}
