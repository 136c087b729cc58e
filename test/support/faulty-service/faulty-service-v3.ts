// A faulty content service with version 3 only, whose failures a test controls: complete lists, and each playlist separately.

import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../after-this-test.ts";
import {
  md5Of,
  sendFile,
  sendJson,
  type Answer,
  type CloudAsset,
} from "./faulty-service.ts";

export interface PlaylistV3 {
  readonly id: string;
  readonly assets: readonly CloudAsset[];
  /** Identifiers; without any it is for all screens. */
  readonly groups?: readonly string[];
  /** Overrides fields of the row. */
  readonly row?: Readonly<Record<string, unknown>>;
}

export interface FaultyCloudV3 {
  readonly address: string;
  playlists: readonly PlaylistV3[];
  /** Rows of the list of groups. */
  groups: readonly Readonly<Record<string, unknown>>[];
  /** Replaces the usual response, by path below `/v3`, such as `/playlists/P1/`. */
  readonly answers: Map<string, Answer>;
  readonly requests: IncomingMessage[];
}

export const allScreensGroup = {
  ...{ id: "all-screens", url: "/api/v3/groups/all-screens/" },
  ...{ name: "All Screens", screens: [] },
};

export async function serveFaultyCloudV3(): Promise<FaultyCloudV3> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cloud: FaultyCloudV3 = {
    address: `http://127.0.0.1:${port}`,
    playlists: [],
    groups: [allScreensGroup],
    answers: new Map(),
    requests,
  };

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const below = /^\/v3(\/.*)$/.exec(path)?.[1];
    const assets = new Map(
      cloud.playlists.flatMap((one) =>
        one.assets.map((each) => [each.id, each]),
      ),
    );
    const usual = (): void => {
      const file = assets.get(/^\/files\/([\w-]+)/.exec(path)?.[1] ?? "");
      if (file?.bytes) return sendFile(request, response, file.bytes);
      const one = /^\/playlists\/([\w-]+)\/$/.exec(below ?? "")?.[1];
      const playlist = cloud.playlists.find(({ id }) => id === one);
      if (playlist) return sendJson(response, rowOf(playlist, true));
      if (below === "/groups/") return sendJson(response, cloud.groups);
      if (below === "/assets/")
        return sendJson(response, [...assets.values()].map(assetRow));
      if (below === "/playlists/")
        return sendJson(
          response,
          cloud.playlists.map((each) => rowOf(each, false)),
        );
      sendJson(response, { detail: "Not found." }, 404);
    };
    const answer = cloud.answers.get(below ?? path);
    if (answer) answer(request, response, usual);
    else usual();
  }

  function assetRow({ id, bytes, row }: CloudAsset): unknown {
    return {
      ...{ id, title: id, status: "finished", headers: {}, metadata: {} },
      type: bytes ? "image" : "web",
      md5: bytes ? md5Of(bytes) : "skip_md5",
      asset_url: bytes
        ? `${cloud.address}/files/${id}`
        : "https://example.org/",
      ...(bytes && { source_md5: md5Of(bytes), source_size: bytes.length }),
      ...row,
    };
  }

  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  return cloud;
}

function rowOf(
  { id, assets, groups = ["all-screens"], row }: PlaylistV3,
  isComplete: boolean,
): unknown {
  return {
    ...{ id, title: id, predicate: "TRUE", is_enabled: true, priority: 0 },
    groups: groups.map((group) => ({ id: group })),
    ...(isComplete && {
      assets: assets.map((asset) => ({ id: asset.id, duration: 600 })),
    }),
    ...row,
  };
}
