// content: an asset's bytes as base64 inside JSON, streamed, or its address.

import type { RequestHandler } from "express";
import { stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import type { Asset } from "../../../core/asset.ts";
import { Failure } from "../../../core/failure.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Library } from "../../library/library.ts";
import { extensionOf } from "../files/files.ts";

export function sendContent(
  library: Library,
  store: FileStore,
): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const asset = library.asset(request.params.id);
    if (!asset.file) {
      response.json({ type: "url", url: asset.uri });
      return;
    }
    const { hash, type } = asset.file;
    const entry = await stat(store.pathOf(hash)).catch(() => null);
    if (!entry)
      throw new Failure("not-found", playerSentences["asset-file-missing"]);
    // Everything except the content itself: the response is this text around the base64.
    const frame = JSON.stringify({
      type: "file",
      filename: fileNameOf(asset),
      mimetype: type,
    });
    const head = `${frame.slice(0, -1)},"content":"`;
    const tail = `"}`;
    response
      .type("json")
      .setHeader(
        "Content-Length",
        Buffer.byteLength(head) + Math.ceil(entry.size / 3) * 4 + tail.length,
      );
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    response.write(head);
    await pipeline(store.read(hash), asBase64(tail), response).catch(
      (error: unknown) => {
        // A client that disconnects is not an error of the player; any other error breaks the connection, which signals it.
        if (!response.destroyed) response.destroy(error as Error);
      },
    );
  };
}

/** The file name for a download: the asset's name with the extension of its type. */
function fileNameOf(asset: Asset): string {
  const ending = extensionOf(asset.file?.type ?? "");
  return asset.name.toLowerCase().endsWith(ending)
    ? asset.name
    : asset.name + ending;
}

/** Three bytes become four characters, so the remainder is carried over to the next chunk. */
function asBase64(tail: string): Transform {
  let over = Buffer.alloc(0);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const bytes = over.length ? Buffer.concat([over, chunk]) : chunk;
      const completeLength = bytes.length - (bytes.length % 3);
      over = Buffer.from(bytes.subarray(completeLength));
      done(null, bytes.toString("base64", 0, completeLength));
    },
    flush: (done) => done(null, over.toString("base64") + tail),
  });
}
