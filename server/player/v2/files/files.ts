// file_asset: streams one file to disk, detects its type from its bytes, and responds with a token to claim it.

import type { Request, RequestHandler } from "express";
import { got } from "../../../contract/field-error.ts";
import { appDescriptionType, appType } from "../../../core/asset.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import type { Uploads, Upload } from "../../files/uploads.ts";
import type { Piece, Pieces } from "../../files/resumable-uploads.ts";
import { receiveField } from "../request/body.ts";

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
