// files: a stored file as it is shown, with byte ranges (V2-715).

import path from "node:path";
import type { RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { shownFileOf } from "../../files/shown-file.ts";
import type { Library } from "../../library/library.ts";

/** Messages for HTTP preconditions and ranges that do not match the file (RFC 9110, 13 and 14). */
const refusals: Readonly<Record<number, string>> = {
  404: playerSentences["file-gone"],
  412: playerSentences["file-changed"],
  416: "The file does not have this range.",
};

/** A file opened by itself is never a page of this origin: no script of an SVG, nothing that it loads. */
const inert = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
};

export function sendStoredFile(parts: {
  readonly library: Library;
  readonly store: FileStore;
}): RequestHandler<{ sha256: string }> {
  return (request, response, next) => {
    const { sha256 } = request.params;
    const file = shownFileOf(parts, sha256);
    if (!file) throw new Failure("not-found", playerSentences["hash-unknown"]);
    if (parts.library.file(sha256)?.isDamaged)
      throw new Failure("not-found", playerSentences["file-bad"]);
    response.set(inert).type(file.type);
    // The store may be inside a folder such as `.config`.
    const options = { cacheControl: false, dotfiles: "allow" } as const;
    response.sendFile(path.resolve(file.path), options, (error?: Error) => {
      if (!error || response.headersSent) return;
      // Headers about the file do not apply to the error response.
      for (const header of ["Content-Type", "ETag"])
        response.removeHeader(header);
      const status = "status" in error ? Number(error.status) : 500;
      const detail = refusals[status];
      if (detail) response.status(status).json({ detail });
      else next(error);
    });
  };
}
