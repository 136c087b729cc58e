// Serves the files behind asset_url and thumbnail_uri, whole or in ranges, by signed address or key (V4-230, V4-232).

import express, { type RequestHandler, type Router } from "express";
import { stat } from "node:fs/promises";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { systemCode } from "../../platform/outside-error.ts";
import { setTeam, teamOf } from "../access/access.ts";
import type { Addresses } from "./signed-addresses.ts";
import type { ContentTables } from "../tables.ts";

export interface FilesOptions {
  readonly database: Database<ContentTables>;
  readonly store: FileStore;
  readonly addresses: Addresses;
  readonly requireKey: RequestHandler;
  /** Called with the hash of a file that a row has and the store does not. */
  readonly onMissingFile: (hash: string) => void;
}

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
    const isHere = hash && (await stat(store.pathOf(hash)).catch(nullIfGone));
    if (file?.isFinished && hash && !isHere) onMissingFile(hash);
    if (!file?.hash || !isHere)
      throw new Failure("not-found", "There is no such file.");
    response
      .setHeader("Content-Type", typeOfText(file.mimetype))
      .setHeader("ETag", `"${file.hash}"`)
      .setHeader("X-Content-Type-Options", "nosniff")
      .setHeader("Cache-Control", "private, max-age=3600")
      // Uploaded content must not act as a page of this service.
      .setHeader(
        "Content-Security-Policy",
        "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      )
      .setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    const options = {
      ...{ cacheControl: false, lastModified: false },
      dotfiles: "allow",
    } as const;
    response.sendFile(store.pathOf(file.hash), options, (error?: unknown) => {
      if (!error || hasGone(error)) return;
      // Headers of the file, not of the error response that replaces it.
      if (!response.headersSent)
        for (const name of headersOfFile) response.removeHeader(name);
      next(error);
    });
  };

  /** A signed address is enough while it is valid; otherwise a key is required. */
  const admit: RequestHandler<{ id: string; part?: string }> = async (
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
    setTeam(response, team);
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
      admit as never,
      send as never,
    );
  return router;
}

const headersOfFile = [
  ...["ETag", "Cache-Control", "Accept-Ranges"],
  ...["Content-Range", "Content-Length"],
];

/** A failing disk is not a missing file: the client should retry. */
function nullIfGone(error: unknown): null {
  const code = systemCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
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
