// A fake content service for the model: its state over the wire of version 4.1, 4 or 3, its files, and network faults of either.

import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { CloudVersion } from "../../../../../server/core/sync-plan/sync-state.ts";
import {
  md5Of,
  sendBeginning,
  sendFile,
  sendJson,
} from "../../../../support/faulty-service/faulty-service.ts";
import { png } from "../../../../support/media/media.ts";
import { pdf } from "../../../../support/media/pdfs.ts";
import { untoldEnd } from "../../../../support/http/sources.ts";
import {
  emptyService,
  groupTitle,
  labels,
  type ServiceApp,
  type ServiceAsset,
  type ServicePlaylist,
  type ServiceState,
} from "./service-state.ts";

export interface Bytes {
  readonly content: Buffer;
  readonly md5: string;
  /** SHA-256: its name in the player's store. */
  readonly hash: string;
}

export const images: readonly Bytes[] = Array.from({ length: 6 }, (_, number) =>
  bytesOf(png([number * 40, 90, 9], 8, 8)),
);

/** A document of two pages; its index follows the images. */
const document = bytesOf(
  await pdf([{ colour: [90, 9, 9] }, { colour: [9, 90, 9] }]),
);
export const documentFile = images.length;

/** Entry points of apps; their indices follow the document. */
const pages = ["one", "two"].map((text) =>
  bytesOf(Buffer.from(`<!doctype html><p>${text}</p>`)),
);
export const firstPage = documentFile + 1;

export function bytesAt(file: number): Bytes | undefined {
  if (file >= firstPage) return pages[file - firstPage];
  return file === documentFile ? document : images[file];
}

/** By path; two have one base name. */
export function filesOfApp({
  page,
  files: [one, other],
}: ServiceApp): Readonly<Record<string, number>> {
  return { "index.html": page, "a/mark.png": one, "b/deep/mark.png": other };
}

/** `short`: cut, and nothing shows that it is incomplete. */
export const fileFaults = ["404", "503", "cut", "short", "page"] as const;
export const listFaults = [
  ...(["404", "401", "500", "page", "cut", "short"] as const),
] as const;
/** Unchanged, compressed without being requested, or as HTTP/1.0, where closing the connection alone marks the end. */
export const transports = ["plain", "packed", "untold"] as const;
export type Transport = (typeof transports)[number];
export type FileFault = (typeof fileFaults)[number];
export type ListFault = (typeof listFaults)[number];

export interface FakeService {
  readonly address: string;
  version: CloudVersion;
  state: ServiceState;
  /** By index of the image. */
  readonly fileFaults: Map<number, FileFault>;
  /** Of everything but files; null: as usual. */
  listFault: ListFault | null;
  /** How successful responses are sent. */
  transport: Transport;
  /** Called for each request before it is answered; false: it is lost, and its connection is reset. */
  onRequest: () => boolean;
  stop(): Promise<void>;
}

const builtIn = { id: "label-all", name: "all-screens" };
const idOfLabel = {
  ...{ all: builtIn.id, kiosk: "label-k", elsewhere: "label-e" },
  ...{ lookalike: "label-l", paired: "label-p" },
};
const nameOfLabel = {
  ...{ all: builtIn.name, kiosk: "kiosk", elsewhere: "else" },
  ...{ lookalike: builtIn.name, paired: "paired" },
};
/** A screen of version 3, in the group `paired`. */
export const pairedScreen = "screen-1";

export async function serveFakeService(): Promise<FakeService> {
  const server = createServer((request, response) => {
    request.resume();
    if (service.onRequest()) answer(request, response);
    else request.socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve()),
  );
  const { port } = server.address() as AddressInfo;
  const service: FakeService = {
    address: `http://127.0.0.1:${port}`,
    version: "v4.1",
    state: emptyService(),
    fileFaults: new Map(),
    listFault: null,
    transport: "plain",
    onRequest: () => true,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "", service.address);
    const file = /^\/files\/(\d+)-/.exec(url.pathname);
    if (file) return answerFile(Number(file[1]), request, response);
    if (service.listFault)
      return fail(service.listFault, request, response, Buffer.from("[]"));
    const rows = rowsAt(url);
    if (rows === null) return sendJson(response, { detail: "Not found." }, 404);
    const tag = `"${md5Of(Buffer.from(JSON.stringify(rows)))}"`;
    response.setHeader("ETag", tag);
    if (request.headers["if-none-match"] === tag)
      return void response.writeHead(304).end();
    if (service.transport === "plain") return sendJson(response, rows);
    response.setHeader("Content-Type", "application/json");
    sendOtherwise(request, response, Buffer.from(JSON.stringify(rows)));
  }

  function answerFile(
    index: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const bytes = bytesAt(index);
    if (!bytes) return sendJson(response, { detail: "Not found." }, 404);
    const fault = service.fileFaults.get(index);
    if (fault) fail(fault, request, response, bytes.content);
    else if (service.transport === "plain")
      sendFile(request, response, bytes.content);
    else sendOtherwise(request, response, bytes.content);
  }

  function sendOtherwise(
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
  ): void {
    if (service.transport === "untold")
      return untoldEnd(bytes)(request, response);
    response.setHeader("Content-Encoding", "gzip");
    response.end(gzipSync(bytes));
  }

  function rowsAt(url: URL): unknown {
    const path = url.pathname;
    const { version } = service;
    if (version === "v3") return path.startsWith("/v3/") ? v3(path) : null;
    if (!path.startsWith(`/${version}/`)) return null;
    if (path === `/${version}/labels`) return labelRows(url);
    if (path === `/${version}/asset-groups`)
      return behindIn(url, [{ id: "group-1", title: groupTitle }]);
    const collection = path.split("/edge-apps/")[1];
    if (collection !== undefined) return appRows(url, collection);
    if (url.searchParams.get("type") === "eq.edge-app-file")
      return appFileRows(url);
    if (url.searchParams.get("asset_group_id") === "in.(group-1)")
      return behindIn(
        url,
        [...service.state.assets]
          .filter(([, { isGrouped }]) => isGrouped)
          .map(([id, asset]) => assetRow(id, asset)),
      );
    if (url.searchParams.has("or"))
      return behindIn(
        url,
        [...service.state.assets].map(([id, asset]) => assetRow(id, asset)),
      );
    const documents = url.searchParams.get("pdf_asset_id");
    return documents === null ? [] : pageRows(url, documents);
  }

  function labelRows({ searchParams }: URL): readonly unknown[] {
    const filter = searchParams.get("or") ?? "";
    const behind = searchParams.get("id")?.replace("gt.", "") ?? "";
    return labels
      .filter(
        (label) =>
          filter === "" ||
          (label === "all"
            ? filter.includes("type.eq.all-screens")
            : filter.includes(`"${nameOfLabel[label]}"`)),
      )
      .map((label) => ({
        ...{ id: idOfLabel[label], name: nameOfLabel[label] },
        type: label === "all" ? "all-screens" : "user",
        playlists: [...service.state.playlists]
          .filter(([, { labels }]) => labels.has(label))
          .map(([id, playlist]) => playlistRowV4(id, playlist)),
      }))
      .filter(({ id }) => id > behind)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** All of them, whatever is requested: the caller skips what it does not know. */
  function appRows({ searchParams }: URL, collection: string): unknown {
    if (searchParams.has("offset")) return [];
    return [...service.state.assets].flatMap(([id, { app }]): unknown[] => {
      if (!app) return [];
      const files = Object.keys(filesOfApp(app));
      switch (collection) {
        case "installations":
          return [{ id: `i-${id}`, app_id: id, app_channel: "stable" }];
        case "channels":
          return [
            { app_id: id, channel: "stable", app_revision: app.revision },
          ];
        case "versions":
          return [
            {
              ...{ app_id: id, revision: app.revision, ready_signal: false },
              entrypoint: "index.html",
              file_tree: Object.fromEntries(
                files.map((path, place) => [path, `s${place}`]),
              ),
            },
          ];
        default:
          return [
            {
              ...{ app_id: id, name: "greeting", type: "string" },
              default_value: app.greeting,
              edge_app_setting_values: [],
            },
          ];
      }
    });
  }

  function appFileRows(url: URL): readonly unknown[] {
    const id = url.searchParams.get("app_id")?.replace("eq.", "") ?? "";
    const app = service.state.assets.get(id)?.app;
    const revision = url.searchParams.get("app_revision");
    if (!app || revision !== `eq.${app.revision}`) return [];
    const rows = Object.entries(filesOfApp(app)).map(([path, file], place) => ({
      ...{ id: `${id}-r${app.revision}-${place}`, signature: `s${place}` },
      ...{ title: path.split("/").at(-1), md5: bytesAt(file)?.md5 },
      asset_url: `${service.address}/files/${file}-${id}`,
    }));
    return behindIn(url, app.isListed ? rows : rows.slice(0, -1));
  }

  function pageRows(url: URL, filter: string): readonly unknown[] {
    const names = filter.replace(/^in\.\(|\)$/g, "").split(",");
    const rows = names.flatMap((id) =>
      (service.state.assets.get(id)?.pages ?? []).map((isShown, place) => ({
        ...{ id: `${id}-p${place}`, pdf_asset_id: id },
        ...{ pdf_page_number: place + 1, pdf_page_enabled: isShown },
        pdf_page_rotation: 0,
      })),
    );
    return behindIn(url, rows);
  }

  const playlistRowV4 = (id: string, playlist: ServicePlaylist): unknown => ({
    ...{ id, title: playlist.title, predicate: playlist.predicate },
    ...{ is_enabled: playlist.isEnabled, priority: playlist.isPriority },
    transitions: playlist.transitions,
    created_at: new Date(playlist.createdAt).toISOString(),
    playlist_items: playlist.items.map((item, position) => ({
      ...{ id: `item-${item.id}`, asset_id: item.asset, position },
      duration: item.seconds,
      assets: assetRow(item.asset, service.state.assets.get(item.asset)),
    })),
  });

  const assetRow = (
    id: string,
    asset: ServiceAsset | undefined,
  ): { readonly id: string } | undefined =>
    asset && {
      ...{ id, title: asset.title, status: "finished", duration: 10 },
      ...(asset.app && { app_installation_id: `i-${id}` }),
      ...(asset.file === null
        ? {
            type: asset.app ? "edge-app" : "web",
            asset_url: `https://example.org/${id}`,
          }
        : {
            type: asset.pages ? "pdf" : "image",
            md5: bytesAt(asset.file)?.md5,
            asset_url: `${service.address}/files/${asset.file}-${id}`,
          }),
    };

  function v3(path: string): unknown {
    const { assets, playlists } = service.state;
    // Version 3 lists in order of creation, without times.
    const listed = [...playlists].sort(
      ([a, one], [b, other]) =>
        one.createdAt - other.createdAt || (a < b ? -1 : 1),
    );
    if (path === "/v3/assets/")
      return [...assets].map(([id, asset]) => ({
        ...assetRow(id, asset),
        folder_name: asset.isGrouped ? groupTitle : "Other",
      }));
    if (path === "/v3/groups/")
      return Object.entries(nameOfLabel).map(([label, name]) => ({
        id: idIn3(label as keyof typeof idOfLabel),
        name: name === builtIn.name ? "All Screens" : name,
        screens: label === "paired" ? [{ id: pairedScreen }] : [],
      }));
    const rowOf = ([id, one]: [string, ServicePlaylist]): object => ({
      ...{ id, title: one.title, predicate: one.predicate },
      is_enabled: one.isEnabled,
      priority: Number(one.isPriority),
      groups: [...one.labels].map((label) => ({ id: idIn3(label) })),
      assets: one.items.map(({ asset, seconds }) => ({
        ...{ id: asset, duration: seconds },
      })),
    });
    if (path === "/v3/playlists/") return listed.map(rowOf);
    const id = /^\/v3\/playlists\/([\w-]+)\/$/.exec(path)?.[1] ?? "";
    const one = playlists.get(id);
    return one ? rowOf([id, one]) : null;
  }

  return service;
}

/** As a service orders and pages its rows. */
function behindIn<Row extends { readonly id: string }>(
  { searchParams }: URL,
  rows: readonly (Row | undefined)[],
): readonly unknown[] {
  const behind = searchParams.get("id")?.replace("gt.", "") ?? "";
  return rows
    .filter((row) => row !== undefined)
    .filter(({ id }) => id > behind)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function idIn3(label: keyof typeof idOfLabel): string {
  return label === "all" ? "all-screens" : idOfLabel[label];
}

function fail(
  fault: FileFault | ListFault,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): void {
  switch (fault) {
    case "404":
      response.writeHead(404, { "Content-Type": "text/plain" });
      return void response.end("404 page not found");
    case "401":
      response.writeHead(401, { "Content-Type": "text/plain" });
      return void response.end("Unauthorized");
    case "500":
      return void response.writeHead(500).end("oops");
    case "503":
      return void response.writeHead(503, { "Retry-After": "600" }).end();
    case "page":
      response.writeHead(200, { "Content-Type": "text/html" });
      return void response.end("<!doctype html><p>Please sign in</p>");
    case "short":
      return untoldEnd(bytes.subarray(0, bytes.length >> 1))(request, response);
    case "cut":
      return sendBeginning(request, response, bytes, bytes.length >> 1, "cut");
  }
}

function bytesOf(content: Buffer): Bytes {
  const hash = createHash("sha256").update(content).digest("hex");
  return { content, md5: md5Of(content), hash };
}
