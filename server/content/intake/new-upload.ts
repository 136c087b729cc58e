// A multipart POST to the assets collection becomes an ordinary insert: the bytes are kept before the row (V4-219).

import type { RequestHandler } from "express";
import { Failure, fieldFailure } from "../../core/failure.ts";
import { catalogues, type ColumnType } from "../catalogue.ts";
import { assertAnnounced } from "./intake.ts";
import type { Keeper } from "./keeper.ts";
import { Refused } from "./refused.ts";
import { receiveUpload, type ReceiveOptions, type Upload } from "./upload.ts";

export interface NewUploadOptions extends ReceiveOptions {
  readonly keeper: Keeper;
  readonly makeId: () => string;
  readonly admit: RequestHandler;
  /** Bytes may lie there that nobody needs. */
  readonly onLeftOver: () => void;
}

const assetsPath = /^(\/api)?\/(v4|v4\.1)\/assets\/?$/;
const multipart = /^\s*multipart\//i;
/** Version 3 reads texts of a form by itself. */
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
          options.keeper
            .giveUpUpload(id)
            .then(options.onLeftOver, () => undefined);
      });
    }
  };
}

async function keepFile(
  { file, fields }: Upload,
  { store, keeper, makeId }: NewUploadOptions,
  readFields: () => void,
): Promise<string | null> {
  if (file === null) {
    readFields();
    return null;
  }
  try {
    readFields();
    if (file.sizeBytes === 0) throw fieldFailure("file", "The file is empty.");
    const { source_md5: md5, source_size: size } = fields;
    await assertAnnounced(
      { sourceMd5: md5 ?? null, sourceSize: size ? Number(size) : null },
      file.path,
      file.sizeBytes,
    ).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      const field = /MD5/.test(error.message) ? "source_md5" : "source_size";
      throw fieldFailure(field, error.message);
    });
  } catch (error) {
    await store.discard(file);
    throw error;
  }
  const id = makeId();
  await keeper.keepUpload(file, id);
  return id;
}

function textsOf({ fields, fileName }: Upload): Record<string, unknown> {
  return { ...(fileName !== null && { title: fileName }), ...fields };
}

/** The fields as JSON would have them; what makes no sense stays as it came, to be refused by the interface. */
function valuesOf({ fields, fileName }: Upload): Record<string, unknown> {
  const columns = catalogues["4.1"].tables.get("assets")?.columns;
  const title = fileName === null ? {} : { title: fileName };
  return Object.fromEntries(
    Object.entries({ ...title, ...fields }).map(([name, text]) => [
      name,
      valueOf(text, columns?.get(name)?.type ?? "text"),
    ]),
  );
}

function valueOf(text: string, type: ColumnType): unknown {
  switch (type) {
    case "whole":
    case "decimal":
      return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
    case "flag":
    case "level":
      return /^(true|false)$/i.test(text) ? /^true$/i.test(text) : text;
    case "json":
      return parsed(text);
    default:
      return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("malformed", "A field that holds JSON is no valid JSON.");
  }
}
