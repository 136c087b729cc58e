// Turns a multipart POST to the assets collection into an ordinary insert; the bytes are stored before the row (V4-219).

import type { RequestHandler } from "express";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import {
  JsonError,
  readJson,
  type Json,
} from "../../platform/text/json-text.ts";
import { catalogues } from "../catalogue.ts";
import { bodyLimits } from "../http/body-limits.ts";
import { assertAnnounced } from "./ingest.ts";
import type { FileRetention } from "./file-retention.ts";
import { IngestError } from "./ingest-error.ts";
import { receiveUpload, type ReceiveOptions, type Upload } from "./upload.ts";

export interface NewUploadOptions extends ReceiveOptions {
  readonly fileRetention: FileRetention;
  readonly makeId: () => string;
  readonly admit: RequestHandler;
  /** Called when stored files may have become unneeded. */
  readonly onLeftOver: () => void;
}

const assetsPath = /^(\/api)?\/(v4|v4\.1)\/assets\/?$/;
const multipart = /^\s*multipart\//i;
/** Version 3 parses the text fields of a form itself. */
const uploadPath = /^(\/api)?\/v3\/assets\/upload\/?$/;

export function takeUploads(options: NewUploadOptions): RequestHandler {
  return (request, response, next) => {
    if (
      request.method !== "POST" ||
      !multipart.test(request.headers["content-type"] ?? "")
    ) {
      next();
      return;
    }
    const isV3 = uploadPath.test(request.path);
    if (!isV3 && !assetsPath.test(request.path)) {
      next();
      return;
    }
    void options.admit(request, response, (refusal?: unknown) => {
      if (refusal !== undefined) next(refusal);
      else take().then(() => next(), next);
    });

    async function take(): Promise<void> {
      const upload = await receiveUpload(request, options);
      const id = await keepFile(upload, options, () => {
        request.body = isV3 ? textsOf(upload) : valuesOf(upload);
      });
      if (id === null) return;
      (response.locals as { newAssetId?: string }).newAssetId = id;
      response.once("finish", () => {
        // Should this fail, the sweep does the same an hour later.
        if (response.statusCode >= 300)
          options.fileRetention
            .giveUpUpload(id)
            .then(options.onLeftOver, () => undefined);
      });
    }
  };
}

async function keepFile(
  { file, fields }: Upload,
  { store, fileRetention, makeId }: NewUploadOptions,
  readFields: () => void,
): Promise<string | null> {
  if (file === null) {
    readFields();
    return null;
  }
  try {
    readFields();
    if (file.sizeBytes === 0)
      throw fieldFailure("file", generalSentences["file-empty"]);
    const { source_md5: md5, source_size: size } = fields;
    await assertAnnounced(
      { sourceMd5: md5 ?? null, sourceSize: size ? Number(size) : null },
      file.path,
      file.sizeBytes,
    ).catch((error: unknown) => {
      if (!(error instanceof IngestError)) throw error;
      const field = /MD5/.test(error.message) ? "source_md5" : "source_size";
      throw fieldFailure(field, error.message);
    });
  } catch (error) {
    await store.discard(file);
    throw error;
  }
  const id = makeId();
  await fileRetention.keepUpload(file, id);
  return id;
}

function textsOf({ fields, fileName }: Upload): Record<string, unknown> {
  return { ...(fileName !== null && { title: fileName }), ...fields };
}

/** Texts as received, which the interface converts by column, and JSON with all its digits (V4-27). */
function valuesOf({ fields, fileName }: Upload): ReadonlyMap<string, Json> {
  const columns = catalogues["4.1"].tables.get("assets")?.columns;
  const title = fileName === null ? {} : { title: fileName };
  return new Map(
    Object.entries({ ...title, ...fields }).map(([name, text]) => [
      name,
      columns?.get(name)?.type === "json" ? jsonIn(text) : text,
    ]),
  );
}

function jsonIn(text: string): Json {
  try {
    return readJson(
      text,
      bodyLimits.jsonDepth,
      undefined,
      bodyLimits.jsonValues,
    );
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(
      "malformed",
      `A JSON field is not valid: ${error.message}.`,
    );
  }
}
