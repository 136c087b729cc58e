// An outbox as its interface shows it, and what our own service has of it.

import { expect, vi } from "vitest";
import type {
  CloudPageV2,
  SyncChangeV2,
} from "../../../server/contract/v2/v2-sync-outbox.ts";
import type { CloudVersion } from "../../../server/core/sync-plan/sync-state.ts";
import { png } from "../media/media.ts";
import type { TeamsService } from "../content/one-service.ts";
import type { RunningFullSync } from "./start-full-sync.ts";
import type { Row } from "../content/start-content.ts";

/** For what arrives within a moment. */
export const pollOptions = { interval: 10 };

export interface Up {
  readonly connectionId: string;
  changes(): Promise<readonly SyncChangeV2[]>;
  add(body: object): Promise<SyncChangeV2>;
  /** Once the outbox is idle. */
  rest(): Promise<readonly SyncChangeV2[]>;
  retry(
    id: string,
    body?: object,
  ): Promise<{ status: number; body: SyncChangeV2 }>;
  read(collection: string, query?: string): Promise<CloudPageV2>;
}

export function upOf(running: RunningFullSync, connectionId: string): Up {
  const at = `/sync/accounts/${connectionId}`;
  const changes: Up["changes"] = async () =>
    (await running.request(`${at}/changes`)).json() as Promise<SyncChangeV2[]>;
  return {
    ...{ connectionId, changes },
    add: async (body) => {
      const answer = await running.send("POST", `${at}/changes`, body);
      expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
      return answer.body as SyncChangeV2;
    },
    rest: () =>
      vi.waitUntil(async () => {
        const all = await changes();
        return (
          all.every(
            ({ state }) => state !== "waiting" && state !== "sending",
          ) && all
        );
      }, pollOptions),
    retry: (id, body = {}) =>
      running.send("POST", `${at}/changes/${id}/retry`, body),
    read: async (collection, query = "") => {
      const answer = await running.request(`${at}/cloud/${collection}${query}`);
      expect(answer.status).toBe(200);
      return answer.json() as Promise<CloudPageV2>;
    },
  };
}

export async function connect(
  running: RunningFullSync,
  { key }: TeamsService,
  baseUrl: string,
  version: CloudVersion,
): Promise<Up> {
  const answer = await running.send("POST", "/sync/accounts", {
    base_url: baseUrl,
    token: key,
    version,
    poll_seconds: 3600,
  });
  expect(answer.status).toBe(201);
  return upOf(running, answer.body.account_id as string);
}

export async function shopWindow(
  running: RunningFullSync,
  up: Up,
): Promise<readonly SyncChangeV2[]> {
  const { body: upload } = await running.upload(png([7, 8, 9]));
  const asset = await up.add({
    collection: "assets",
    action: "create",
    fields: { title: "Spring", file: upload.uri, metadata: { season: "1" } },
  });
  const label = await up.add({
    collection: "labels",
    action: "create",
    fields: { name: "Lobby" },
  });
  const playlist = await up.add({
    collection: "playlists",
    action: "create",
    fields: {
      title: "Shop",
      predicate: "$WEEKDAY = 1",
      priority: 1,
      items: [
        { asset_id: `change:${asset.change_id}`, duration: 7 },
        { asset_id: `change:${asset.change_id}`, duration: 9 },
      ],
      labels: [`change:${label.change_id}`],
    },
  });
  return [asset, label, playlist];
}

/** What the service has, as version 3 returns it. */
export async function kept({ v3 }: TeamsService) {
  const [assets, groups, playlists] = (await Promise.all([
    v3.get("/assets/"),
    v3.get("/groups/"),
    v3.get("/playlists/"),
  ])) as [Row[], Row[], Row[]];
  const complete = await Promise.all(
    playlists.map(({ id }) => v3.get(`/playlists/${id}/`)),
  );
  return {
    assets,
    groups: groups.filter(({ id }) => !/^all.screens$/.test(id)),
    playlists: complete,
  };
}
