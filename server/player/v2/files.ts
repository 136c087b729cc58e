// file_asset: one file streamed to disk, told by its bytes, answered with a token to claim it by.

import type { Request, RequestHandler } from "express";
import type { Readable } from "node:stream";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type { Intake, Upload } from "../intake.ts";
import { brokenMultipart, openMultipart } from "./body.ts";

const field = "file_upload";

export function uploadFile(intake: Intake): RequestHandler {
  return async (request, response) => {
    if (!request.is("multipart"))
      throw new Failure(
        "unsupported",
        "A file is taken as the field file_upload of a multipart/form-data body.",
      );
    const upload = await receive(request, intake);
    response.json({ uri: upload.uri, ext: extensionOf(upload.file.type) });
  };
}

/** The first file under the field's name is taken; without one the body is refused. */
function receive(request: Request, intake: Intake): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let receiving: Promise<Upload> | null = null;
    const parser = openMultipart(request, {});
    const fail = (error: unknown): void => {
      request.unpipe(parser);
      reject(error instanceof Error ? error : brokenMultipart());
    };
    parser.on("file", (name, stream: Readable) => {
      // A body that breaks off before anybody reads would else be nobody's error.
      stream.on("error", () => undefined);
      if (name !== field || receiving) {
        stream.resume();
        return;
      }
      receiving = intake.receive(stream, field);
      receiving.catch(fail);
    });
    parser.on("error", () => fail(brokenMultipart()));
    request.on("aborted", () => {
      parser.destroy(brokenMultipart());
    });
    parser.on("close", () => {
      if (receiving) receiving.then(resolve, fail);
      else fail(fieldFailure(field, "No file was uploaded in this field."));
    });
    request.pipe(parser);
  });
}

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": ".jpg",
  "image/svg+xml": ".svg",
  "image/vnd.microsoft.icon": ".ico",
  "image/x-icon": ".ico",
  "video/quicktime": ".mov",
  "video/x-matroska": ".mkv",
  "video/matroska": ".mkv",
  "video/x-msvideo": ".avi",
  "video/vnd.avi": ".avi",
  "video/mpeg": ".mpeg",
};

/** The usual ending for a media type, by the bytes and not by the client's name for them. */
export function extensionOf(type: string): string {
  return extensions[type] ?? `.${type.replace(/^.*\/(?:x-)?/, "")}`;
}
