// Serves the manager to browsers at `/`: its page, never cached, and the files that the page names, which never change (V2-770,
// V2-771; of a content service V3-140, V3-141).

import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import { isRead } from "./request-log.ts";
import { systemCode } from "../outside-error.ts";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/** Stored as they are; everything else is stored compressed: always as gzip, which every browser accepts over plain HTTP too. */
const uncompressed = new Set([".woff2", ".png"]);

/** The smallest first. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

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
        "X-Content-Type-Options": "nosniff",
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
    const stored = path.join(dir, "manager", `${file.name}${file.extension}`);
    const isCompressed = !uncompressed.has(file.extension);
    const found = isCompressed
      ? await compressed(request, stored)
      : await readIfThere(stored);
    if (found === null) return false;
    response.set({
      "Content-Type": file.type,
      "Cache-Control": "public, max-age=31536000, immutable",
      "X-Content-Type-Options": "nosniff",
      ...(isCompressed && { Vary: "Accept-Encoding" }),
    });
    if (Buffer.isBuffer(found)) response.send(found);
    else {
      if (found.encoding !== null)
        response.set("Content-Encoding", found.encoding);
      response.send(found.bytes);
    }
    return true;
  }

  async function compressed(request: Request, stored: string) {
    for (const { name, suffix } of encodings) {
      // Where the client likes both, the first one.
      if (request.acceptsEncodings(name, "identity") !== name) continue;
      const bytes = await readIfThere(stored + suffix);
      if (bytes !== null) return { bytes, encoding: name };
    }
    const zipped = await readIfThere(`${stored}.gz`);
    return zipped === null
      ? null
      : { bytes: await unzippedOf(stored, zipped), encoding: null };
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

/** A link on a page of another site to the manager: it opens a page of its own, which no frame can contain (V2-771, V3-141). */
export function opensManager({ path, method, headers }: Request): boolean {
  return (
    path === "/" &&
    method === "GET" &&
    headers.origin === undefined &&
    headers["sec-fetch-dest"] === "document"
  );
}
