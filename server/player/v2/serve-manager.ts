// Serves the manager to browsers at `/`: its page, never cached, and the files that the page names, which never change (V2-770,
// V2-771).

import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import { isRead } from "../../platform/http/request-log.ts";
import { systemCode } from "../../platform/outside-error.ts";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** Stored as they are; everything else is stored as gzip alone, which every browser accepts over plain HTTP too. */
const uncompressed = new Set([".woff2", ".png"]);

/** One name with the hash of its content: no separator, no dot but that of its extension. */
const filePath = /^\/manager\/([\w-]{1,100}-[A-Z0-9]{8})(\.\w{1,11})$/;

const policy = [
  ...["default-src 'none'", "script-src 'self'"],
  // The component library writes its colour variables into a style element when it mounts.
  "style-src 'self' 'unsafe-inline'",
  ...["img-src 'self' data: blob:", "media-src 'self'", "font-src 'self'"],
  ...["connect-src 'self'", "manifest-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'"],
  "frame-ancestors 'none'",
].join("; ");

const unzip = promisify(gunzip);

/** Only reads of its own paths are answered; a client that does not ask for a page gets at `/` what it always got. */
export function serveManager(dir: string): RequestHandler {
  /** By name: a file never changes, and there are few. */
  const unzipped = new Map<string, Promise<Buffer>>();

  return (request, response, next) => {
    const answer = isRead(request) ? answerOf(request, response) : null;
    if (!answer) {
      next();
      return;
    }
    answer
      .then((isSent) => {
        if (!isSent) next();
      })
      .catch(next);
  };

  function answerOf(
    request: Request,
    response: Response,
  ): Promise<boolean> | null {
    if (request.path === "/" && wantsPage(request)) return sendPage(response);
    const [, name, extension] = filePath.exec(request.path) ?? [];
    const type = types[extension ?? ""];
    return name === undefined || extension === undefined || type === undefined
      ? null
      : sendFile(request, response, { name, extension, type });
  }

  async function sendPage(response: Response): Promise<boolean> {
    const page = await readIfThere(path.join(dir, "index.html"));
    if (page === null) return false;
    response
      .set({
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
        Vary: "Accept",
      })
      .send(page);
    return true;
  }

  async function sendFile(
    request: Request,
    response: Response,
    file: Record<"name" | "extension" | "type", string>,
  ): Promise<boolean> {
    const isZipped = !uncompressed.has(file.extension);
    const stored = `${file.name}${file.extension}${isZipped ? ".gz" : ""}`;
    const bytes = await readIfThere(path.join(dir, "manager", stored));
    if (bytes === null) return false;
    const staysZipped =
      isZipped && request.acceptsEncodings("gzip", "identity") === "gzip";
    response.set({
      "Content-Type": file.type,
      "Cache-Control": "public, max-age=31536000, immutable",
      ...(isZipped && { Vary: "Accept-Encoding" }),
      ...(staysZipped && { "Content-Encoding": "gzip" }),
    });
    response.send(
      isZipped && !staysZipped ? await unzippedOf(stored, bytes) : bytes,
    );
    return true;
  }

  function unzippedOf(stored: string, bytes: Buffer): Promise<Buffer> {
    const text = unzipped.get(stored) ?? unzip(bytes);
    unzipped.set(stored, text);
    return text;
  }
}

/** A browser names HTML; a program accepts anything. */
function wantsPage({ headers }: Request): boolean {
  return (headers.accept ?? "").includes("text/html");
}

/** Null while nothing is built: development without a bundle. */
async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
