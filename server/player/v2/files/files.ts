// file_asset: streams one file to disk, detects its type from its bytes, and responds with a token to claim it.

import type { Request, RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { got } from "../../../contract/field-error.ts";
import { appDescriptionType, appType } from "../../../core/asset.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import type { Uploads, Upload } from "../../files/uploads.ts";
import type {
  Piece,
  Pieces,
  UploadState,
} from "../../files/resumable-uploads.ts";
import {
  beginUploadV2,
  type UploadStateV2,
} from "../../../contract/v2/v2-answers.ts";
import { parseBody, receiveField } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

const field = "file_upload";

export function uploadFile(uploads: Uploads, pieces: Pieces): RequestHandler {
  return async (request, response) => {
    if (!request.is("multipart"))
      throw new Failure(
        "unsupported",
        "The file must be sent as the field file_upload of a multipart/form-data body.",
      );
    const piece = pieceOf(request);
    if (!piece) {
      const upload = await receiveField(request, field, (stream, arrived) =>
        uploads.receive(stream, field, arrived),
      );
      response.json(answerOf(upload));
      return;
    }
    const { uploadId, upload, receivedBytes } = await receiveField(
      request,
      field,
      (stream, arrived) => pieces.receive(stream, piece, field, arrived),
    );
    response.json({
      upload_id: uploadId,
      received: receivedBytes,
      ...(upload && answerOf(upload)),
    });
  };
}

/** The state of an upload, and its end (V2-800, V2-802). */
export function uploadOperations(pieces: Pieces) {
  return {
    beginUpload: async (request, response) => {
      const { id } = request.params;
      if (!/^[0-9a-f]{32}$/.test(id)) throw noUpload();
      const { total } = parseBody(request, beginUploadV2);
      response.json(stateToV2(id, await pieces.begin(id, total)));
    },
    readUpload: async (request, response) => {
      const { id } = request.params;
      const state = await pieces.state(id);
      if (!state) throw noUpload();
      response
        .setHeader("Cache-Control", "no-store")
        .json(stateToV2(id, state));
    },
    cancelUpload: async (request, response) => {
      if (!(await pieces.cancel(request.params.id))) throw noUpload();
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

function stateToV2(
  id: string,
  { totalBytes, receivedBytes, missing, upload }: UploadState,
): UploadStateV2 {
  const { uri = null, ext = null } = upload ? answerOf(upload) : {};
  return {
    ...{ upload_id: id, total: totalBytes, received: receivedBytes },
    missing: missing.map(([from, to]) => ({ from, to })),
    ...{ uri, ext },
  };
}

function noUpload(): Failure {
  return new Failure("not-found", playerSentences["upload-none"]);
}

function answerOf({ uri, file }: Upload): { uri: string; ext: string } {
  return { uri, ext: extensionOf(file.type) };
}

/** The piece that the request declares; null for a whole file. Throws `invalid` on the header (V2-31). */
function pieceOf(request: Request): Piece | null {
  const header = request.headers["content-range"];
  if (header === undefined) return null;
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header);
  const [from, to, total] = (range?.slice(1) ?? []).map(Number);
  if (from === undefined || to === undefined || total === undefined)
    throw fieldFailure(
      "Content-Range",
      `Content-Range must look like "bytes 0-1023/4096"${got(header)}`,
    );
  if (from > to || to >= total)
    throw fieldFailure(
      "Content-Range",
      "Content-Range must lie within the file.",
    );
  const id = request.headers["x-upload-id"];
  if (id !== undefined && !/^[0-9a-f]{32}$/.test(String(id)))
    throw fieldFailure(
      "X-Upload-Id",
      `X-Upload-Id must be 32 hexadecimal digits${got(id)}`,
    );
  return { uploadId: id === undefined ? null : String(id), from, to, total };
}

/** Extensions that differ from the subtype after the slash. */
const extensions: Readonly<Record<string, string>> = {
  ...{ "image/jpeg": ".jpg", "image/svg+xml": ".svg", "image/tiff": ".tif" },
  ...{ "image/vnd.microsoft.icon": ".ico", "image/x-icon": ".ico" },
  ...{ "image/heif": ".heic", "image/heic-sequence": ".heic" },
  ...{ "image/heif-sequence": ".heic", "image/vnd.ms-photo": ".jxr" },
  ...{ "image/vnd.adobe.photoshop": ".psd", "image/vnd.dwg": ".dwg" },
  ...{ "video/quicktime": ".mov", "video/ogg": ".ogv", "video/mp2t": ".mts" },
  ...{ "video/x-matroska": ".mkv", "video/matroska": ".mkv" },
  ...{ "video/x-msvideo": ".avi", "video/vnd.avi": ".avi" },
  ...{ "video/3gpp": ".3gp", "video/3gpp2": ".3g2" },
  ...{ "video/MP1S": ".mpg", "video/MP2P": ".mpg", "video/x-ms-asf": ".asf" },
  ...{ "audio/mpeg": ".mp3", "audio/mp4": ".m4a", "audio/midi": ".mid" },
  ...{ "audio/ogg; codecs=opus": ".opus", "audio/x-ms-asf": ".asf" },
  ...{ "audio/vnd.dolby.dd-raw": ".ac3", "audio/wavpack": ".wv" },
  ...{ "audio/x-musepack": ".mpc", "audio/qcelp": ".qcp" },
  ...{ [appType]: ".zip", [appDescriptionType]: ".json" },
};

/** The usual file extension of a media type, detected from the bytes and not from the client's file name. */
export function extensionOf(type: string): string {
  // In a camera maker's own type, the maker's name is not part of the extension.
  const name = type.replace(/^.*\/(?:x-)?(?:[a-z]+-)*/, "");
  return extensions[type] ?? `.${name}`;
}
