// backup and recover: archives made, listed, fetched, removed and uploaded again.

import { momentToText, readBoolean } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { Backups } from "../../backup/backup.ts";
import { receiveField } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

const field = "backup_upload";

const archiveHeaders = ["Content-Type", "Content-Disposition", "ETag"];

/** In the words of HTTP: what is asked of an archive that stands otherwise (RFC 9110, 13 and 14). */
const refusals: Readonly<Record<number, string>> = {
  404: "There is no such backup any more.",
  412: "The backup is another one than expected.",
  416: "The backup has no such range.",
};

/** What an archive may be called; anything else a browser could take for a page. */
const archiveTypes = new Set([
  ...["application/gzip", "application/x-gzip", "application/x-tar"],
  ...["application/x-tgz", "application/octet-stream"],
]);

export function backupOperations(backups: Backups) {
  const fetch: Handlers["fetchBackup"] = (request, response, next) => {
    const { name } = request.params;
    const file = backups.pathOf(name);
    if (!response.hasHeader("Content-Type")) response.type("application/gzip");
    // The store may well lie in a folder such as `.config`.
    const options = { cacheControl: false, dotfiles: "allow" } as const;
    response.download(file, name, options, (error?: Error) => {
      if (!error || response.headersSent) return;
      // What was said of the archive is not true of the refusal.
      for (const header of archiveHeaders) response.removeHeader(header);
      const status = "status" in error ? Number(error.status) : 500;
      const detail = refusals[status];
      if (detail) response.status(status).json({ detail });
      else next(error);
    });
  };
  return {
    makeBackup: async (request, response) => {
      const streamFlag = readBoolean(request.query.stream ?? "0");
      if (!("value" in streamFlag) || !streamFlag.value) {
        response.status(201).json(await backups.create());
        return;
      }
      const { name, content } = await backups.stream();
      response.attachment(name).type("application/gzip");
      // Halfway through a body only the broken connection can say that something went wrong.
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
    /** Where the peer's own page fetches it, as what that asks for (V2-583). */
    fetchBackupAsPeer: (request, response, next) => {
      // Refused before anything is said of an archive.
      backups.pathOf(request.params.name);
      const { mime } = request.query;
      const isArchiveType = typeof mime === "string" && archiveTypes.has(mime);
      response.setHeader(
        "Content-Type",
        isArchiveType ? mime : "application/x-tgz",
      );
      return fetch(request, response, next);
    },
    deleteBackup: async (request, response) => {
      await backups.remove(request.params.name);
      response.status(204).end();
    },
    recoverBackup: async (request, response) => {
      if (!request.is("multipart"))
        throw new Failure(
          "unsupported",
          `A backup is taken as the field ${field} of a multipart/form-data body.`,
        );
      await receiveField(request, field, (stream, arrived) =>
        backups.recover(stream, field, arrived),
      );
      response.json("Recovery successful.");
    },
  } satisfies Partial<Handlers>;
}
