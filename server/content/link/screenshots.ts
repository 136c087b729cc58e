// Stores the latest screenshot of each screen; the bytes are stored before the row that references them (L-13).

import type { Readable } from "node:stream";
import { maxScreenshotBytes } from "../../contract/link/link.ts";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { judgeMedia } from "../../platform/media/media-probe.ts";
import { addressOfFile } from "../files/signed-addresses.ts";
import type { FileRetention } from "../ingest/file-retention.ts";
import type { ContentTables } from "../tables.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface ScreenshotOptions {
  readonly database: Database<ContentTables>;
  readonly store: StoredFiles;
  readonly fileRetention: FileRetention;
  readonly now: () => number;
  /** Called when stored files may have become unneeded. */
  readonly onLeftOver: () => void;
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/webp"]);

/** Throws `not-found` when the screen is deleted meanwhile. */
export async function keepScreenshot(
  options: ScreenshotOptions,
  screen: { readonly id: string; readonly teamId: string },
  source: Readable,
): Promise<void> {
  const { database, store, fileRetention, now } = options;
  const aside = await store.receive(source, maxScreenshotBytes);
  const media = await judgeMedia({ file: aside.path, isTypeOnly: true });
  const type = media?.type ?? "";
  if (!imageTypes.has(type)) {
    await store.discard(aside);
    throw new Failure(
      "invalid",
      "The screenshot must be a PNG, JPEG or WebP image.",
    );
  }
  const holder = `screen ${screen.id} ${aside.hash}`;
  await fileRetention.keep(aside, holder);
  await database.transaction(async (transaction) => {
    await fileRetention.release(transaction, holder);
    const existing = await transaction
      .updateTable("screens")
      .set({
        last_screenshot: addressOfFile(screen.id),
        last_screenshot_time: now(),
      })
      .where("id", "=", screen.id)
      .returning("id")
      .executeTakeFirst();
    const before = await transaction
      .selectFrom("screen_pictures")
      .select("hash")
      .where("screen_id", "=", screen.id)
      .executeTakeFirst();
    const left = existing ? before?.hash : aside.hash;
    if (left !== undefined)
      await transaction
        .insertInto("dropped_files")
        .values({ hash: left })
        .onConflict((on) => on.doNothing())
        .execute();
    if (!existing) return;
    const screenshot = { hash: aside.hash, mimetype: type };
    await transaction
      .insertInto("screen_pictures")
      .values({ screen_id: screen.id, team_id: screen.teamId, ...screenshot })
      .onConflict((on) => on.column("screen_id").doUpdateSet(screenshot))
      .execute();
  });
  options.onLeftOver();
}
