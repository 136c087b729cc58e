// Which requests read from a read replica: lists and reports requested with an API key, after everything that the key's team wrote
// (V4-401, V4-403).

import type { RequestHandler, Response } from "express";
import { isCredential } from "../../contract/link/link.ts";
import type { Database } from "../../platform/database/database.ts";
import { isRead } from "../../platform/http/request-log.ts";
import { secretFrom, teamOf } from "../access/access.ts";
import type { ContentTables } from "../tables.ts";
import type { ReadReplica, Reads } from "./read-replica.ts";

export type ReadsFor = (response: Response) => Promise<Reads>;

export interface ListReads {
  /** Where the list is read that is requested with this response. */
  readonly readsFor: ReadsFor;
  /** Notes each write before it is answered; expects the team in `response.locals.team`. */
  readonly noteWrites: RequestHandler;
}

export function createListReads(
  database: Database<ContentTables>,
  replica: ReadReplica | null,
): ListReads {
  if (replica === null)
    return {
      readsFor: async () => database,
      noteWrites: (_request, _response, next) => next(),
    };
  return {
    readsFor: async (response) =>
      isOfPlayer(response) ? database : replica.readsFor(teamOf(response)),
    noteWrites: (request, response, next) => {
      if (isRead(request) || request.method === "OPTIONS") {
        next();
        return;
      }
      const team = teamOf(response);
      const end = response.end as (...all: unknown[]) => Response;
      response.end = ((...all: unknown[]) => {
        // It never rejects.
        replica.noteWrite(team).then(
          () => end.apply(response, all),
          () => end.apply(response, all),
        );
        return response;
      }) as Response["end"];
      next();
    },
  };
}

/** A player reads when it was notified of a change, and only then (L-9). */
function isOfPlayer({ req }: Response): boolean {
  return isCredential(secretFrom(req.headers.authorization) ?? "");
}
