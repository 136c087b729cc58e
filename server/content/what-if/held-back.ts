// Holds back writes that would break assertions: they are tried in a transaction that is rolled back, simulated, and refused
// with 409 (V3-107, V3-108).

import { AsyncLocalStorage } from "node:async_hooks";
import type { Request, RequestHandler } from "express";
import { applyAnywayHeader } from "../../contract/v3/v3-what-if.ts";
import type { Database } from "../../platform/database/database.ts";
import { teamOf } from "../access/access.ts";
import type { ContentTables } from "../tables.ts";
import type { WhatIf } from "./what-if.ts";

export interface HeldBack {
  /** Expects the team in `response.locals.team`. */
  readonly note: RequestHandler;
  /** Its writes are checked within requests that `note` found to be checked. */
  readonly database: Database<ContentTables>;
}

export function holdBackWrites(
  database: Database<ContentTables>,
  whatIf: Pick<WhatIf, "isHoldingBack" | "refuseIfBreaking">,
): HeldBack {
  // The interfaces write in many places; which request a write belongs to follows the calls.
  const checkedTeam = new AsyncLocalStorage<string>();
  return {
    note: async (request, response, next) => {
      const isChecked =
        mayChangeScreens(request) &&
        !isAppliedAnyway(request) &&
        (await whatIf.isHoldingBack(teamOf(response)));
      if (isChecked) checkedTeam.run(teamOf(response), next);
      else next();
    },
    database: {
      ...database,
      write: async (work) => {
        const team = checkedTeam.getStore();
        if (team !== undefined) await whatIf.refuseIfBreaking(team, work);
        return database.write(work);
      },
      writeOne: async (statement) => {
        const team = checkedTeam.getStore();
        if (team !== undefined)
          await whatIf.refuseIfBreaking(team, (run) => run(statement));
        return database.writeOne(statement);
      },
    },
  };
}

/** Playlists, their items and labels, labels of screens, and what assets are in playlists (V3-108). */
const ofScreens =
  /\/v(3\/(playlists|groups|screens|assets)|4(\.\d)?\/(playlists|playlist-items|labels|screens|assets|asset-groups))\b/;
const changesNothing =
  /\/v3\/(screens\/([^/]+\/)?commands|assets\/.*\/capture)/;

function mayChangeScreens({ method, path }: Request): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS")
    return false;
  // A new asset is in no playlist.
  if (method === "POST" && /\/assets\b/.test(path)) return false;
  return ofScreens.test(path) && !changesNothing.test(path);
}

function isAppliedAnyway({ headers }: Request): boolean {
  const value = headers[applyAnywayHeader.toLowerCase()];
  return value === "true" || value === "1";
}
