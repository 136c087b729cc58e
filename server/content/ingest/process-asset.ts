// Turns stored bytes into an asset: measured, previewed, split into pages, then written in one transaction (V4-215).

import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Kysely } from "kysely";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { addressOfFile } from "../files/signed-addresses.ts";
import type { ContentTables } from "../tables.ts";
import { digestFile, type Digest } from "./digest.ts";
import type { FileRetention } from "./file-retention.ts";
import type { Job } from "./leases.ts";
import {
  measure,
  type MeasuredWithPreview,
  type MeasureOptions,
} from "./media-detection.ts";
import { maxPdfBytes, splitPdf } from "./split-pdf-pages.ts";
import { IngestError } from "./ingest-error.ts";
import { judgeMedia } from "../../platform/media/media-probe.ts";
import type { StoredFiles } from "../files/stored-files.ts";

// The media type of an edge app's file: by its content, otherwise by its extension, as a web server would decide.

const byEnding: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  map: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

async function typeOfAppFile(file: string, name: string): Promise<string> {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const byName = byEnding[ending];
  if (byName !== undefined) return byName;
  const media = await judgeMedia({ file, isTypeOnly: true });
  return media?.type ?? "application/octet-stream";
}

interface Page {
  readonly hash: string;
  readonly md5: string;
  readonly sizeBytes: number;
}

/** Everything to be written, with all its bytes stored and held. */
export interface Processed {
  readonly hash: string;
  readonly digest: Digest;
  readonly facts: Facts;
  readonly previewHash: string | null;
  readonly pages: readonly Page[];
}

type Facts = Omit<MeasuredWithPreview, "type"> & {
  readonly type: MeasuredWithPreview["type"] | "edge-app-file";
};

export interface ProcessOptions {
  readonly store: StoredFiles;
  readonly fileRetention: FileRetention;
  readonly makeId: () => string;
  readonly now: () => number;
  /** Aborts the work. */
  readonly signal?: AbortSignal | undefined;
}

/** A preview or page of hundreds of megabytes is not a real one. */
const maxPartBytes = 512 * 1024 ** 2;

export function processBytes(
  job: Pick<Job, "id" | "title" | "appId">,
  hash: string,
  options: ProcessOptions,
): Promise<Processed> {
  return options.store.withFile(hash, (file) =>
    processFile(job, hash, file, options),
  );
}

async function processFile(
  { id, title, appId }: Pick<Job, "id" | "title" | "appId">,
  hash: string,
  file: string,
  { store, fileRetention, signal }: ProcessOptions,
): Promise<Processed> {
  const receive = (part: string) =>
    store.receive(createReadStream(part), maxPartBytes);
  const previewFile = store.newAside();
  const pageFile = store.newAside();
  try {
    const facts =
      appId === null
        ? await factsOf(file, { previewFile, signal })
        : await factsOfAppFile(file, title);
    const digest = await digestFile(file);
    const pages: Page[] = [];
    if (facts.type === "pdf") {
      if (digest.sizeBytes > maxPdfBytes)
        throw new IngestError(
          composeSentence(serviceSentences["pdf-too-large"], {
            limit: maxPdfBytes,
          }),
        );
      const onPage = async (index: number): Promise<void> => {
        const page = await receive(pageFile);
        const { md5, sizeBytes } = await digestFile(page.path);
        await fileRetention.keep(page, id);
        pages[index] = { hash: page.hash, md5, sizeBytes };
      };
      await splitPdf(file, { pageFile, onPage, signal });
    }
    const preview = facts.hasPreview ? await receive(previewFile) : null;
    if (preview) await fileRetention.keep(preview, id);
    return {
      ...{ hash, digest, facts, pages },
      previewHash: preview?.hash ?? null,
    };
  } finally {
    for (const each of [previewFile, pageFile]) await rm(each, { force: true });
  }
}

async function factsOf(file: string, options: MeasureOptions): Promise<Facts> {
  const measured = await measure(file, options);
  if (measured) return measured;
  throw new IngestError(generalSentences["file-unsupported"]);
}

/** Files of an app are accepted whatever they contain. */
async function factsOfAppFile(file: string, title: string): Promise<Facts> {
  return {
    ...{ type: "edge-app-file", mimetype: await typeOfAppFile(file, title) },
    ...{ width: null, height: null, durationSeconds: null },
    hasPreview: false,
  };
}

/** Writes the rows of what was processed, within the transaction that ends the lease. */
export async function writeProcessed(
  transaction: Kysely<ContentTables>,
  job: Job,
  processed: Processed,
  { makeId, now }: ProcessOptions,
): Promise<void> {
  const { facts, digest, hash, previewHash, pages } = processed;
  await transaction
    .updateTable("assets")
    .set({
      ...{ status: "finished", processing_error: "", type: facts.type },
      ...{ mimetype: facts.mimetype, width: facts.width, height: facts.height },
      duration: facts.durationSeconds,
      ...{ md5: digest.md5, signature: digest.signature },
      ...{ source_md5: digest.md5, source_size: digest.sizeBytes },
      asset_url: addressOfFile(job.id),
      thumbnail_uri: previewHash && addressOfFile(job.id, "thumbnail"),
    })
    .where("id", "=", job.id)
    .execute();
  await transaction
    .updateTable("asset_intakes")
    .set({
      ...{ source_hash: hash, file_hash: hash, preview_hash: previewHash },
      ...{ due_at: null, lease_owner: null, lease_until: 0, validator: null },
    })
    .where("asset_id", "=", job.id)
    .execute();
  await writePages(transaction, job, pages, { makeId, now });
}

/** A page is `finished` from the start, so that no worker ingests it. */
async function writePages(
  transaction: Kysely<ContentTables>,
  job: Job,
  pages: readonly Page[],
  { makeId, now }: Pick<ProcessOptions, "makeId" | "now">,
): Promise<void> {
  if (pages.length === 0) return;
  // Read again: a client may have changed them meanwhile.
  const { title, asset_group_id } = await transaction
    .selectFrom("assets")
    .select(["title", "asset_group_id"])
    .where("id", "=", job.id)
    .executeTakeFirstOrThrow();
  for (const [index, { hash, md5, sizeBytes }] of pages.entries()) {
    const id = makeId();
    await transaction
      .insertInto("assets")
      .values({
        ...{ id, team_id: job.teamId, asset_group_id },
        ...{ title: `${title} – ${index + 1}`.trim(), created_at: now() },
        ...{ type: "pdf-page", status: "finished" },
        ...{ mimetype: "application/pdf", asset_url: addressOfFile(id) },
        ...{ md5, source_md5: md5, source_size: sizeBytes },
        ...{ pdf_asset_id: job.id, pdf_page_number: index + 1 },
        ...{ pdf_page_enabled: true, pdf_page_rotation: 0 },
      })
      .execute();
    await transaction
      .insertInto("asset_intakes")
      .values({ asset_id: id, file_hash: hash })
      .execute();
  }
}
