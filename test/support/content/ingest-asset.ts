// Assets during ingest: created, and polled until their processing has ended.

import { createHash } from "node:crypto";
import { vi } from "vitest";
import type { ContentClient, Row } from "./start-content.ts";

export const md5 = (bytes: Buffer): string =>
  createHash("md5").update(bytes).digest("hex");

export async function addAsset(
  client: ContentClient,
  body: object,
): Promise<Row> {
  const [row] = await client.add("/v4.1/assets", body);
  if (!row) throw new Error("nothing was answered");
  return row;
}

export async function readAsset(
  client: ContentClient,
  id: string,
): Promise<Row> {
  const [row] = await client.rows(`/v4.1/assets?id=eq.${id}`);
  if (!row) throw new Error(`there is no asset ${id}`);
  return row;
}

/** Resolves once its processing has ended. */
export function waitUntilProcessed(
  client: ContentClient,
  id: string,
): Promise<Row> {
  return vi.waitUntil(
    async () => {
      const row = await readAsset(client, id);
      return /finished|error/.test(String(row["status"])) && row;
    },
    { interval: 20 },
  );
}

export async function addAssetAndWait(
  client: ContentClient,
  body: object,
): Promise<Row> {
  return waitUntilProcessed(client, (await addAsset(client, body)).id);
}
