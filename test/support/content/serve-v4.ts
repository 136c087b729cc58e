// Version 4 on a real socket over a database of its own, with two teams, and nothing else of the service.

import type { ContentTables } from "../../../server/content/tables.ts";
import { addTeam } from "../../../server/content/access/teams.ts";
import {
  createV4Router,
  type V4Options,
} from "../../../server/content/v4/router.ts";
import type { Database } from "../../../server/platform/database/database.ts";
import { makeUlid, type AnyDatabase } from "../database/each-database.ts";
import { serveExpress } from "../http/serve-express.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the body is not JSON. */
  readonly json: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose key it is; ours by default. */
  readonly team?: string;
}

export interface V4Service {
  readonly database: Database<ContentTables>;
  readonly url: string;
  readonly team: string;
  readonly otherTeam: string;
  /** Where the path has no prefix, it is version 4.1. */
  request(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<Answer>;
  get(path: string, headers?: RequestOptions["headers"]): Promise<Answer>;
  /** Inserts and returns the rows. */
  make(path: string, body: unknown): Promise<any[]>;
}

/** 2026-01-01, one millisecond later at each call. */
export const firstMoment = Date.UTC(2026, 0, 1);

export async function serveV4(
  any: AnyDatabase,
  options: Partial<V4Options> = {},
): Promise<V4Service> {
  const database = await any.open();
  const team = makeUlid(firstMoment);
  const otherTeam = makeUlid(firstMoment);
  for (const id of [team, otherTeam])
    await addTeam(database.kysely, {
      ...{ id, name: `Team ${id.slice(-2)}`, labelId: makeUlid(firstMoment) },
      moment: firstMoment,
    });
  let moment = firstMoment;
  const now = (): number => (moment += 1);
  const url = await serveExpress(
    createV4Router({
      ...{ database, now, makeId: () => makeUlid(moment) },
      ...options,
    }),
    ({ headers }) => headers["x-team"] ?? team,
  );

  async function request(
    method: string,
    path: string,
    { body, headers, team: asTeam }: RequestOptions = {},
  ): Promise<Answer> {
    const isVersioned = /^\/(api\/)?v4/.test(path);
    const isText = typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(`${url}${isVersioned ? "" : "/v4.1"}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(asTeam && { "X-Team": asTeam }),
        ...headers,
      },
      body: (body === undefined || isText
        ? (body ?? null)
        : JSON.stringify(body)) as BodyInit | null,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: jsonOf(text),
    };
  }

  return {
    ...{ database, url, team, otherTeam, request },
    get: (path, headers = {}) => request("GET", path, { headers }),
    make: async (path, body) => {
      const answer = await request("POST", path, {
        body,
        headers: { Prefer: "return=representation" },
      });
      if (answer.status !== 201)
        throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      return answer.json;
    },
  };
}

function jsonOf(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
