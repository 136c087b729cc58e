// A player with content of our own service, and its offline bundles as archives: exported, repacked, and sent to another player.

import { readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, vi } from "vitest";
import type { PlanKeysV2 } from "../../../server/contract/v2/v2-sync-outbox.ts";
import {
  packArchive,
  readArchive,
} from "../../../server/platform/archive/archive.ts";
import type { ClientV3 } from "../content/each-v3.ts";
import { png } from "../media/media.ts";
import type { TeamsService } from "../content/one-service.ts";
import { startFullSync, type RunningFullSync } from "./start-full-sync.ts";
import type { Row } from "../content/start-content.ts";
import { answerOf, type Answer } from "../player/start-player.ts";
import { pollOptions } from "./outbox.ts";

type Members = Map<string, Buffer>;

export interface Shop {
  readonly service: TeamsService;
  readonly v3: ClientV3;
  readonly running: RunningFullSync;
  readonly playlistId: string;
}

/** A player with two images and a page from our own service. */
export async function startShop(service: TeamsService): Promise<Shop> {
  const { v3 } = service;
  const ids: string[] = [];
  for (const title of ["One", "Two"]) {
    const answer = await service.upload(png([title.length, ids.length, 4]), {
      title,
    });
    ids.push(...((await answer.json()) as Row[]).map(({ id }) => id));
  }
  const page = (await v3.make("/assets/", {
    source_url: "https://example.org/",
    title: "Page",
    disable_verification: true,
  })) as Row;
  await vi.waitUntil(async () => {
    const rows = await service.rows(
      "/v4.1/assets?status=eq.finished&select=id",
    );
    return rows.length === 3;
  }, pollOptions);
  const playlist = (await v3.make("/playlists/", {
    title: "Shop",
    predicate: "$TIME >= 0",
    assets: [...ids, page.id].map((id) => ({ id, duration: 5 })),
    groups: [{ id: "all-screens" }],
  })) as Row;
  const running = await startFullSync();
  await running.connect({ baseUrl: service.address }, service.key);
  await running.until(({ isInSync }) => isInSync === true);
  return { service, v3, running, playlistId: playlist.id };
}

export async function exported(running: RunningFullSync): Promise<Buffer> {
  const answer = await running.request("/sync/export", { method: "POST" });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/gzip",
  ]);
  expect(answer.headers.get("content-disposition")).toMatch(
    /-plan-\d{4}.*\.tar\.gz$/,
  );
  return Buffer.from(await answer.arrayBuffer());
}

export async function imported(
  running: RunningFullSync,
  archive: Buffer,
  query = "",
): Promise<Answer> {
  const form = new FormData();
  form.set("plan_upload", new Blob([new Uint8Array(archive)]), "plan.tar.gz");
  return answerOf(
    await running.request(`/sync/import${query}`, {
      method: "POST",
      body: form,
    }),
  );
}

export async function membersOf(archive: Buffer): Promise<Members> {
  const members: Members = new Map();
  for await (const { path: name, content } of readArchive(
    Readable.from([archive]),
  ))
    members.set(name, Buffer.concat(await Readable.from(content).toArray()));
  return members;
}

export async function packed(
  members: Iterable<readonly [string, Buffer]>,
): Promise<Buffer> {
  async function* all() {
    for (const [name, bytes] of members)
      yield { path: name, sizeBytes: bytes.length, content: [bytes] };
  }
  return Buffer.concat(await packArchive(all(), 0).toArray());
}

export const keysOf = async (running: RunningFullSync): Promise<PlanKeysV2> =>
  (await running.request("/sync/keys")).json() as Promise<PlanKeysV2>;

/** Everything that an import could change. */
export async function everything(running: RunningFullSync) {
  const request = async (at: string): Promise<unknown> =>
    (await running.request(at)).json();
  const filesFolder = path.join(running.dataDir, "files", "kept");
  return {
    assets: await request("/assets"),
    playlists: await request("/playlists"),
    accounts: await request("/sync/accounts"),
    keys: await keysOf(running),
    files: await readdir(filesFolder, { recursive: true }),
    aside: await readdir(
      path.join(running.dataDir, "sync", "import", "aside"),
    ).catch(() => []),
  };
}
