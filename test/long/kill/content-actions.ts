// Concurrent client requests to a content service, and what must hold once they are acknowledged.

import { PDFDocument } from "@cantoo/pdf-lib";
import { picture } from "../../support/media/media.ts";
import {
  serveSources,
  type Source,
  type SourceServer,
} from "../../support/http/sources.ts";
import type {
  ContentClient,
  Row,
} from "../../support/content/start-content.ts";
import type { Random } from "./random.ts";

/** What the service has acknowledged. */
export interface Promised {
  /** Titles by id. */
  readonly titles: Map<string, string>;
  readonly gone: Set<string>;
}

export interface ContentActions {
  readonly promised: Promised;
  /** Starts this many requests concurrently; resolves when the last has its response or the service is gone. */
  start(client: ContentClient, count: number): Promise<void>;
}

const kinds = [
  ...(["upload", "upload", "fetch", "fetch", "bulk"] as const),
  ...(["patch", "delete", "group"] as const),
];

export async function createContentActions(
  random: Random,
): Promise<ContentActions> {
  const promised: Promised = { titles: new Map(), gone: new Set() };
  const sources = await serveAll();
  let count = 0;
  const nextTitle = (): string => `Title ${(count += 1)}`;

  const keep = (rows: readonly Row[]): void => {
    for (const row of rows) promised.titles.set(row.id, String(row["title"]));
  };
  const someId = (): string | undefined => {
    const ids = [...promised.titles.keys()];
    return ids.length === 0 ? undefined : random.oneOf(ids);
  };
  const sourceBody = () => ({
    title: nextTitle(),
    source_url: `${sources.address}${random.oneOf(paths)}`,
  });

  async function upload(client: ContentClient): Promise<void> {
    const bytes = Buffer.concat([
      picture([random.below(5), 0, 0]),
      Buffer.alloc(random.below(400) * 1024, random.below(3)),
    ]);
    const answer = await client.upload(bytes, { title: nextTitle() });
    const text = await answer.text();
    if (answer.status !== 201)
      throw new RejectedRequest(`${answer.status} ${text}`);
    keep(JSON.parse(text) as Row[]);
  }

  const add = async (client: ContentClient, body: unknown): Promise<void> =>
    keep(await client.add("/v4.1/assets", body));

  async function patch(client: ContentClient): Promise<void> {
    const id = someId();
    if (id === undefined) return upload(client);
    const title = nextTitle();
    // Until the response, either title is right.
    promised.titles.delete(id);
    await send(client, `/v4/assets?id=eq.${id}`, {
      ...{ method: "PATCH", body: JSON.stringify({ title }) },
      headers: { "Content-Type": "application/json" },
    });
    promised.titles.set(id, title);
  }

  async function remove(client: ContentClient): Promise<void> {
    const id = someId();
    if (id === undefined) return upload(client);
    promised.titles.delete(id);
    await send(client, `/v4/assets?id=eq.${id}`, { method: "DELETE" });
    promised.gone.add(id);
  }

  async function group(client: ContentClient): Promise<void> {
    const [made] = await client.add("/v4/asset-groups", { title: nextTitle() });
    const rows = await client.add(
      "/v4/assets",
      [sourceBody(), sourceBody()].map((body) => ({
        ...{ ...body, asset_group_id: made?.id },
      })),
    );
    const filter = `/v4/asset-groups?id=eq.${made?.id}`;
    await send(client, filter, { method: "DELETE" });
    for (const { id } of rows) promised.gone.add(id);
  }

  const acts: Readonly<
    Record<(typeof kinds)[number], (client: ContentClient) => Promise<void>>
  > = {
    ...{ upload, patch, delete: remove, group },
    fetch: (client) => add(client, sourceBody()),
    bulk: (client) =>
      add(
        client,
        Array.from({ length: 3 }, () => sourceBody()),
      ),
  };

  return {
    promised,
    start: async (client, many) => {
      await Promise.all(
        Array.from({ length: many }, () =>
          acts[random.oneOf(kinds)](client).catch((error: unknown) => {
            // A request to a killed service gets no response at all.
            if (
              error instanceof RejectedRequest ||
              /^\d{3} /.test(String((error as Error).message))
            )
              throw error;
          }),
        ),
      );
    },
  };
}

/** Rejected by the service itself: a kill never looks like this. */
export class RejectedRequest extends Error {}

async function send(
  client: ContentClient,
  path: string,
  init: RequestInit,
): Promise<void> {
  const answer = await client.request(path, init);
  const text = await answer.text();
  if (!answer.ok) throw new RejectedRequest(`${answer.status} ${text}`);
}

const paths = ["/a.png", "/b.png", "/c.png", "/menu.pdf", "/page", "/bad.png"];

async function serveAll(): Promise<SourceServer> {
  const menu = await PDFDocument.create();
  for (let page = 0; page < 3; page += 1) menu.addPage();
  const large = Buffer.concat([picture([9, 9, 9]), Buffer.alloc(2_000_000, 1)]);
  const sources: Record<string, Source> = {
    "/a.png": picture([1, 1, 1]),
    "/b.png": picture([2, 2, 2]),
    "/c.png": large,
    "/menu.pdf": Buffer.from(await menu.save()),
    "/page": "<!doctype html><title>page</title>",
    "/bad.png": picture([3, 3, 3], 300, 300).subarray(0, 120),
  };
  return serveSources(sources);
}
