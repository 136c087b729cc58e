// Serves the files behind asset_url and thumbnail_uri, whole or in ranges, by signed address or key (V4-230, V4-232).

import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import express, {
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { managerHeader } from "../../contract/v2/manager-header.ts";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { systemCode } from "../../platform/outside-error.ts";
import { admit, teamOf } from "../access/access.ts";
import type { ContentTables } from "../tables.ts";
import type { Addresses } from "./signed-addresses.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface FilesOptions {
  readonly database: Database<ContentTables>;
  readonly store: Pick<StoredFiles, "locate" | "read">;
  readonly addresses: Addresses;
  readonly requireKey: RequestHandler;
  /** Called with the hash of a file that a row has and the store does not. */
  readonly onMissingFile: (hash: string) => void;
}

/** What passes through the service for the manager, whose page loads nothing from elsewhere (V3-129). As large as a screenshot may be. */
const maxPictureBytes = 8 * 1024 * 1024;

interface StoredFile {
  readonly teamId: string;
  readonly hash: string | null;
  readonly mimetype: string;
  /** Whether the asset claims to have it. */
  readonly isFinished: boolean;
}

export function createFiles(options: FilesOptions): Router {
  const { database, store, addresses, requireKey, onMissingFile } = options;

  async function find(id: string, part: string): Promise<StoredFile | null> {
    const row = await database.kysely
      .selectFrom("asset_intakes")
      .innerJoin("assets", "assets.id", "asset_intakes.asset_id")
      .select(["team_id", "mimetype", "file_hash", "preview_hash"])
      .select("status")
      .where("asset_id", "=", id)
      .executeTakeFirst();
    if (!row) return part === "" ? findScreenshot(id) : null;
    const isPreview = part !== "";
    return {
      teamId: row.team_id,
      hash: isPreview ? row.preview_hash : row.file_hash,
      mimetype: isPreview ? "image/webp" : (row.mimetype ?? plainBytes),
      isFinished: row.status === "finished",
    };
  }

  /** The latest screenshot of a screen. */
  async function findScreenshot(screenId: string): Promise<StoredFile | null> {
    const row = await database.kysely
      .selectFrom("screen_pictures")
      .select(["team_id", "hash", "mimetype"])
      .where("screen_id", "=", screenId)
      .executeTakeFirst();
    return row ? { ...row, teamId: row.team_id, isFinished: false } : null;
  }

  const send: RequestHandler<{ id: string; part?: string }> = async (
    request,
    response,
    next,
  ) => {
    const { id, part = "" } = request.params;
    const file = await find(id, part);
    const hash = file?.teamId === teamOf(response) ? file.hash : null;
    const type = typeOfText(file?.mimetype ?? plainBytes);
    const location = hash && (await store.locate(hash, type));
    if (file?.isFinished && hash && !location) onMissingFile(hash);
    if (!hash || !location)
      throw new Failure("not-found", serviceSentences["file-unknown"]);
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    const isForManager =
      request.headers[managerHeader.name] !== undefined &&
      (location.kind === "address" ? location.sizeBytes : 0) <= maxPictureBytes;
    // The address is signed for GET alone.
    if (
      location.kind === "address" &&
      request.method !== "HEAD" &&
      !isForManager
    ) {
      response
        .setHeader("Cache-Control", "private, max-age=60")
        .redirect(302, location.address);
      return;
    }
    response
      .setHeader("Cache-Control", "private, max-age=3600")
      .setHeader("Content-Type", type)
      .setHeader("ETag", `"${hash}"`)
      .setHeader("X-Content-Type-Options", "nosniff")
      // Uploaded content must not act as a page of this service.
      .setHeader(
        "Content-Security-Policy",
        "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      );
    if (location.kind === "address") {
      response.setHeader("Content-Length", location.sizeBytes);
      if (request.method === "HEAD")
        response.setHeader("Accept-Ranges", "bytes").end();
      else await sendThrough(await store.read(hash), response);
      return;
    }
    const options = {
      ...{ cacheControl: false, lastModified: false },
      dotfiles: "allow",
    } as const;
    request.headers.range = withinFile(
      request.headers.range,
      location.sizeBytes,
    );
    response.sendFile(location.path, options, (error?: unknown) => {
      if (!error || hasGone(error)) return;
      // Headers of the file, not of the error response that replaces it.
      if (!response.headersSent)
        for (const name of headersOfFile) response.removeHeader(name);
      next(error);
    });
  };

  /** A signed address is enough while it is valid; otherwise a key is required. */
  const admitRequest: RequestHandler<{ id: string; part?: string }> = async (
    request,
    response,
    next,
  ) => {
    const { id, part = "" } = request.params;
    const team = addresses.teamOf(id, part, request.query);
    if (team === null) {
      await requireKey(request as never, response, next);
      return;
    }
    admit(response, { team, role: "viewer", labelIds: null, actor: null });
    next();
  };

  const router = express.Router({ strict: false });
  for (const path of ["/:id", "/:id/:part"])
    router.get(
      path,
      (request, _response, next) => {
        const { part } = request.params as { part?: string };
        next(part === undefined || part === "thumbnail" ? undefined : "router");
      },
      admitRequest as never,
      send as never,
    );
  return router;
}

/** A client that disconnects ends the transfer. */
async function sendThrough(bytes: Readable, response: Response): Promise<void> {
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if (systemCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

const headersOfFile = [
  ...["ETag", "Cache-Control", "Accept-Ranges"],
  ...["Content-Range", "Content-Length"],
];

/** The end of a file that is shorter than requested is all of it; `sendFile` would reject such a range (V4-347). */
function withinFile(
  range: string | undefined,
  sizeBytes: number,
): string | undefined {
  const last = /^bytes=-(\d+)$/.exec(range ?? "")?.[1];
  return Number(last) > sizeBytes && sizeBytes > 0
    ? `bytes=-${sizeBytes}`
    : range;
}

/** The client disconnected: there is nobody to answer. */
function hasGone(error: unknown): boolean {
  return (
    systemCode(error) === "ECONNABORTED" ||
    (error instanceof Error && "syscall" in error && error.syscall === "write")
  );
}

const plainBytes = "application/octet-stream";

function typeOfText(mimetype: string): string {
  return /^(text\/|application\/(json|xml)|image\/svg)/.test(mimetype)
    ? `${mimetype}; charset=utf-8`
    : mimetype;
}
