// Takes a new screenshot of a page; without a browser the previous one is kept and the log says so (V3-15).

import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Kysely } from "kysely";
import type { Aside } from "../../../platform/files/partial-file.ts";
import { addressOfFile } from "../../files/signed-addresses.ts";
import { sendableHeaders } from "../../ingest/headers.ts";
import { judgeMedia } from "../../../platform/media/media-probe.ts";
import type { ContentTables } from "../../tables.ts";
import { textOfJson } from "../operation/stored-values.ts";
import type { V3 } from "../operation/v3.ts";

interface Place {
  readonly team: string;
  readonly id: string;
}

/** The size of an uncompressed screenshot at the highest resolution. */
const maxScreenshotBytes = 64 * 1024 * 1024;

/** Returns at once; the screenshot appears later. */
export function requestScreenshot(v3: V3, place: Place): void {
  takeScreenshot(v3, place).then(
    (reason) => {
      if (reason !== null)
        v3.log.warn("asset.page-not-captured", { asset: place.id, reason });
    },
    (error: unknown) =>
      v3.log.warn("asset.page-not-captured", { asset: place.id, error }),
  );
}

/** Why there is none; null on success. */
async function takeScreenshot(
  v3: V3,
  { team, id }: Place,
): Promise<string | null> {
  const { kysely } = v3.database;
  const row = await kysely
    .selectFrom("assets")
    .select(["type", "asset_url", "source_url", "headers", "js_injection"])
    .where("team_id", "=", team)
    .where("id", "=", id)
    .executeTakeFirst();
  const url = row?.asset_url || row?.source_url;
  if (!row || !url || (row.type !== "web" && row.type !== "appweb"))
    return "it is not a web page";
  if (!v3.takeScreenshot) return "no browser is installed";
  const bytes = await v3.takeScreenshot({
    url,
    headers: sendableHeaders(JSON.parse(textOfJson(row.headers))),
    script: row.js_injection,
  });
  const aside = await v3.store.receive(
    Readable.from([bytes]),
    maxScreenshotBytes,
  );
  const small = await smallCopyOf(aside, v3);
  if (!small) return "the screenshot cannot be read";
  const holder = `capture ${id}`;
  await v3.fileRetention.keep(small, holder);
  await v3.database.transaction(async (transaction) => {
    await v3.fileRetention.release(transaction, holder);
    await pointAt(transaction, id, small.hash);
  });
  v3.onChanged();
  v3.log.info("asset.page-captured", { asset: id });
  return null;
}

async function smallCopyOf(aside: Aside, { store }: V3): Promise<Aside | null> {
  const previewFile = store.newAside();
  try {
    const media = await judgeMedia({ file: aside.path, previewFile });
    return media?.hasPreviewFile
      ? await store.receive(createReadStream(previewFile), maxScreenshotBytes)
      : null;
  } finally {
    await store.discard(aside);
    await rm(previewFile, { force: true });
  }
}

async function pointAt(
  transaction: Kysely<ContentTables>,
  id: string,
  hash: string,
): Promise<void> {
  const before = await transaction
    .selectFrom("asset_intakes")
    .select("preview_hash")
    .where("asset_id", "=", id)
    .executeTakeFirst();
  const isNew = before?.preview_hash !== hash;
  const left = before ? before.preview_hash : hash;
  if (left !== null && isNew)
    await transaction
      .insertInto("dropped_files")
      .values({ hash: left })
      .onConflict((on) => on.doNothing())
      .execute();
  // Deleted meanwhile: nothing references the file.
  if (!before) return;
  await transaction
    .updateTable("asset_intakes")
    .set({ preview_hash: hash })
    .where("asset_id", "=", id)
    .execute();
  await transaction
    .updateTable("assets")
    .set({ thumbnail_uri: addressOfFile(id, "thumbnail") })
    .where("id", "=", id)
    .execute();
}
