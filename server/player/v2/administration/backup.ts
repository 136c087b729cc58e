// backup and recover: create, list, download, delete and upload archives.

import { createReadStream } from "node:fs";
import type { Request } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  makeBackupQueryV2,
  peerArchiveType,
  peerBackupQueryV2,
  type BackupContentsV2,
} from "../../../contract/v2/v2-administration.ts";
import type { BackupContents } from "../../../contract/ipc/ipc-pc.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { Backups } from "../../backup/backup.ts";
import { assertMayChangeAccess } from "../request/authentication.ts";
import { parseQuery, receiveField } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

const field = "backup_upload";

const archiveHeaders = ["Content-Type", "Content-Disposition", "ETag"];

/** Messages for HTTP preconditions and ranges that do not match the archive (RFC 9110, 13 and 14). */
const refusals: Readonly<Record<number, string>> = {
  404: playerSentences["backup-gone"],
  412: playerSentences["backup-changed"],
  416: "The backup does not have this range.",
};

export function backupOperations(backups: Backups) {
  const fetch: Handlers["fetchBackup"] = (request, response, next) => {
    const { name } = request.params;
    const file = backups.pathOf(name);
    if (!response.hasHeader("Content-Type")) response.type("application/gzip");
    // The store may be inside a folder such as `.config`.
    const options = { cacheControl: false, dotfiles: "allow" } as const;
    response.download(file, name, options, (error?: Error) => {
      if (!error || response.headersSent) return;
      // Headers about the archive do not apply to the error response.
      for (const header of archiveHeaders) response.removeHeader(header);
      const status = "status" in error ? Number(error.status) : 500;
      const detail = refusals[status];
      if (detail) response.status(status).json({ detail });
      else next(error);
    });
  };
  return {
    makeBackup: async (request, response) => {
      if (!parseQuery(request, makeBackupQueryV2).stream) {
        response.status(201).json(await backups.create());
        return;
      }
      const { name, content } = await backups.stream();
      response.attachment(name).type("application/gzip");
      // In the middle of a body, only breaking the connection can signal an error.
      content.once("error", (error) => response.destroy(error));
      response.once("close", () => content.destroy());
      if (response.destroyed) content.destroy();
      else content.pipe(response);
    },
    listBackups: async (_request, response) => {
      const archives = await backups.list();
      response.json(
        archives.map(({ name, sizeBytes, createdAt }) => ({
          name,
          size: sizeBytes,
          created: momentToText(createdAt),
        })),
      );
    },
    fetchBackup: fetch,
    /** At the path where the peer's own page downloads it, with the media type that page expects (V2-583). */
    fetchBackupAsPeer: (request, response, next) => {
      // Throws before any header about an archive is sent.
      backups.pathOf(request.params.name);
      const { mime = peerArchiveType } = parseQuery(request, peerBackupQueryV2);
      response.setHeader("Content-Type", mime);
      return fetch(request, response, next);
    },
    deleteBackup: async (request, response) => {
      await backups.remove(request.params.name);
      response.status(204).end();
    },
    examineArchive: async (request, response) => {
      assertMultipart(request);
      const contents = await receiveField(request, field, (stream) =>
        backups.examine(stream, field),
      );
      response.json(contentsToV2(contents));
    },
    examineBackup: async (request, response) => {
      const source = createReadStream(backups.pathOf(request.params.name));
      // Nobody waits for it any more.
      response.once("close", () => source.destroy());
      const contents = await backups.examine(source, "name");
      response
        .setHeader("Cache-Control", "no-store")
        .json(contentsToV2(contents));
    },
    restoreBackup: async (request, response) => {
      // The settings of access come with it (V2-786).
      assertMayChangeAccess(response);
      const { name } = request.params;
      const file = backups.pathOf(name);
      response.json({ undo: await backups.restore(file, "name", name) });
    },
    recoverBackup: async (request, response) => {
      assertMayChangeAccess(response);
      assertMultipart(request);
      await receiveField(request, field, (stream, arrived) =>
        backups.recover(stream, field, arrived),
      );
      response.json("Recovery successful.");
    },
  } satisfies Partial<Handlers>;
}

function assertMultipart(request: Request): void {
  if (!request.is("multipart"))
    throw new Failure(
      "unsupported",
      `The backup must be sent as the field ${field} of a multipart/form-data body.`,
    );
}

function contentsToV2(contents: BackupContents): BackupContentsV2 {
  const { maker, madeBy, assets, playlists, connections } = contents;
  return {
    ...{ maker, made_by: madeBy },
    assets: assets.map(({ name, kind, isEnabled, problem }) => ({
      ...{ name, kind, is_enabled: isEnabled, problem },
    })),
    playlists: [...playlists],
    connections: connections.map(({ id, name, origin, isEnabled }) => ({
      ...{ account_id: id, name, base_url: origin, is_enabled: isEnabled },
    })),
    ...{ files: contents.filesCount, size: contents.sizeBytes },
    settings: contents.settings,
  };
}
