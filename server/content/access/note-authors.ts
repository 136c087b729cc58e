// Says who makes the changes of a request, for the activity log (V4-380).

import type { RequestHandler } from "express";
import { authorScope, type Author } from "../activity/activity.ts";
import { actorOf } from "./access.ts";

const nobody = { kind: "unknown", id: null, name: "" } as const;

/** The sender of the request: known only once its key or session was checked. */
export function noteAuthors(): RequestHandler {
  return (request, response, next) => {
    const author = (): Author => {
      const { kind, id, name } = actorOf(response) ?? nobody;
      return { kind, id, name, address: request.ip ?? null };
    };
    authorScope.during(author, response, next);
  };
}
