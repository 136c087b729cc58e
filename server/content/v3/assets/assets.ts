// Assets of version 3: list, create from an address or a file, change, delete, request a screenshot (V3-10 to V3-17).

import type { Request, Response } from "express";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  assetCreateV3,
  assetUpdateV3,
  assetUploadV3,
  type AssetUpdateV3,
} from "../../../contract/v3/v3.ts";
import { assetLimits } from "../../../core/asset-limits.ts";
import { fieldFailure, Failure } from "../../../core/failure.ts";
import { isJsonObject } from "../../../platform/text/json-text.ts";
import { teamOf } from "../../access/access.ts";
import { assertReachable } from "../../ingest/page-reachability.ts";
import { jsonFrom, judged } from "../../http/json-body.ts";
import type { Handler, Methods } from "../../http/routes.ts";
import { Refusal } from "../../http/v4-errors.ts";
import { refuseAssetsOutside } from "../../v4/write/label-limits.ts";
import { joined, named, sql, trusted, type Sql } from "../../sql.ts";
import { meetCondition, sendTagged } from "../operation/conditional.ts";
import {
  notFound,
  sendFound,
  sendList,
  sendText,
} from "../operation/responses.ts";
import { requestScreenshot } from "./capture.ts";
import { changedFieldsOf, fieldsOf, type Fields } from "../operation/fields.ts";
import { folderNamed } from "./folders.ts";
import { limitsOf } from "../operation/limits.ts";
import {
  noteOfAdded,
  noteOfRemoved,
  notesOfChange,
} from "../operation/noted-bodies.ts";
import {
  dialectFlag,
  jsonOfTexts,
  textOfJson,
} from "../operation/stored-values.ts";
import {
  bodyIn,
  insertNoted,
  lockOf,
  note,
  reading,
  writing,
  type RunQuery,
  type V3,
} from "../operation/v3.ts";
import { assetRows } from "../operation/views.ts";

export interface Assets {
  readonly collection: Methods;
  readonly upload: Methods;
  readonly item: Methods;
  readonly capture: Methods;
}

interface Place {
  readonly team: string;
  readonly id: string;
}

export function createAssets(v3: V3): Assets {
  const { dialect } = v3;

  async function bodyOf(
    runQuery: RunQuery,
    { team, id }: Place,
  ): Promise<string | null> {
    return bodyIn(
      await runQuery(assetRows(dialect, team, sql`AND a.id = ${id}`)),
    );
  }

  const meet = (request: Request, runQuery: RunQuery, place: Place) =>
    meetCondition(
      ...([v3, runQuery, request, { ...place, table: "assets" }] as const),
      () => bodyOf(runQuery, place),
    );

  const list: Handler = (_request, response) =>
    sendList(
      v3,
      response,
      assetRows(dialect, teamOf(response), sql`ORDER BY a.id`),
    );

  const create: Handler = async (request, response) => {
    await addFromAddress(fieldsOf(request), response);
  };

  async function addFromAddress(
    fields: Fields,
    response: Response,
  ): Promise<void> {
    const body = judged(assetCreateV3, fields);
    await refuseUnreachable(v3, body);
    await add(response, { ...body, title: body.title || body.source_url });
  }

  const upload: Handler = async (request, response) => {
    const fields = fieldsOf(request);
    const { newAssetId } = response.locals as { newAssetId?: string };
    if (newAssetId !== undefined)
      await add(response, judged(assetUploadV3, fields), newAssetId);
    else if ((fields["source_url"] ?? "") !== "")
      await addFromAddress(fields, response);
    else throw fieldFailure("file", serviceSentences["source-required"]);
  };

  async function add(
    response: Response,
    body: AssetUpdateV3 & NewSource,
    id: string = v3.makeId(),
  ): Promise<void> {
    const place = { team: teamOf(response), id };
    const text = await writing(v3, async (runQuery) => {
      const values: readonly (readonly [string, Sql])[] = [
        ["id", sql`${id}`],
        ["team_id", sql`${place.team}`],
        ["created_at", sql`${v3.now()}`],
        ["source_url", sql`${body.source_url ?? null}`],
        ["source_md5", sql`${body.source_md5 ?? null}`],
        ["source_size", sql`${body.source_size ?? null}`],
        ...(await changesOf(v3, runQuery, place, body, null)),
      ];
      const names = joined(
        values.map(([name]) => named(name)),
        ", ",
      );
      await insertNoted(
        ...([v3, runQuery, place.team] as const),
        sql`INSERT INTO assets (${names}) VALUES (${joined(
          values.map(([, value]) => value),
          ", ",
        )})`,
        noteOfAdded("asset", id, body.title ?? ""),
      );
      return bodyOf(runQuery, place);
    });
    sendText(response, 201, text ?? "null");
  }

  const read: Handler = async (request, response) => {
    const place = placeOf(request, response);
    sendTagged(response, "assets", await bodyOf(reading(v3), place));
  };

  const change: Handler = async (request, response) => {
    const place = placeOf(request, response);
    const shown = await bodyOf(reading(v3), place);
    if (shown === null) throw notFound();
    const body = judged(assetUpdateV3, changedFieldsOf(request, shown));
    const text = await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      const before = await lockedAsset(v3, runQuery, place);
      const was = await bodyOf(runQuery, place);
      const limits = limitsOf(v3, runQuery, response);
      await refuseAssetsOutside(limits, [place.id]);
      const changes = await changesOf(v3, runQuery, place, body, before);
      const sets = changes.map(
        ([name, value]) => sql`${named(name)} = ${value}`,
      );
      if (sets.length > 0)
        await runQuery(
          sql`UPDATE assets SET ${joined(sets, ", ")} WHERE team_id = ${place.team} AND id = ${place.id}`,
        );
      const is = await bodyOf(runQuery, place);
      const notes = notesOfChange("asset", place.id, was, is, body);
      await note(v3, runQuery, place.team, ...notes);
      return is;
    });
    sendTagged(response, "assets", text);
  };

  const remove: Handler = async (request, response) => {
    const place = placeOf(request, response);
    const { team, id } = place;
    const gone = await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      const limits = limitsOf(v3, runQuery, response);
      await refuseAssetsOutside(limits, [id]);
      const removed = await runQuery(
        sql`DELETE FROM assets WHERE team_id = ${team} AND id = ${id} RETURNING title`,
      );
      for (const { title } of removed)
        await note(v3, runQuery, team, noteOfRemoved("asset", id, title));
      return removed;
    });
    if (gone.length === 0) throw notFound();
    response.status(200).end();
  };

  const capture: Handler = async (request, response) => {
    const place = placeOf(request, response);
    const body = await bodyOf(reading(v3), place);
    sendFound(response, body);
    if (body !== null) requestScreenshot(v3, place);
  };

  return {
    collection: { GET: list, POST: create },
    upload: { POST: upload },
    item: { GET: read, PUT: change, PATCH: change, DELETE: remove },
    capture: { GET: capture },
  };
}

interface NewSource {
  readonly source_url?: string;
  readonly source_md5?: string | null | undefined;
  readonly source_size?: number | null | undefined;
}

function placeOf(
  request: { readonly params: Readonly<Record<string, string>> },
  response: Response,
): Place {
  return { team: teamOf(response), id: request.params["id"] ?? "" };
}

/** Clients look for this word under `type` (V3-12). */
async function refuseUnreachable(
  v3: V3,
  body: AssetUpdateV3 & NewSource,
): Promise<void> {
  try {
    const headers = Object.fromEntries(body.headers ?? []);
    await assertReachable([{ ...body, headers }], v3.mayConnect);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, type } = error.answer;
    throw new Failure("invalid", message, {
      ...(type && { type }),
      source_url: [message],
    });
  }
}

interface Before {
  readonly headers: string;
  readonly metadata: string;
  readonly folder: string;
}

async function lockedAsset(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: Place,
): Promise<Before> {
  const [row] = await runQuery(
    sql`SELECT headers, metadata, coalesce((
        SELECT title FROM asset_groups g WHERE g.id = assets.asset_group_id
      ), '') AS folder FROM assets WHERE team_id = ${team} AND id = ${id}${trusted(lockOf(v3))}`,
  );
  if (!row) throw notFound();
  return {
    headers: textOfJson(row["headers"]),
    metadata: textOfJson(row["metadata"]),
    folder: String(row["folder"]),
  };
}

/** The fields that were sent, as columns and their values. */
async function changesOf(
  v3: V3,
  runQuery: RunQuery,
  { team }: Place,
  body: AssetUpdateV3,
  before: Before | null,
): Promise<readonly (readonly [string, Sql])[]> {
  const changes: (readonly [string, Sql])[] = [];
  for (const name of ["title", "js_injection"] as const)
    if (body[name] !== undefined) changes.push([name, sql`${body[name]}`]);
  if (body.disable_verification !== undefined)
    changes.push([
      "disable_verification",
      dialectFlag(v3.dialect, body.disable_verification),
    ]);
  for (const name of ["headers", "metadata"] as const)
    if (body[name] !== undefined) {
      const stored = jsonOfTexts(body[name], memberOf(before?.[name]));
      if (name === "metadata" && stored.length > assetLimits.metadataLetters)
        throw fieldFailure(
          name,
          `metadata must have at most ${assetLimits.metadataLetters} characters as JSON`,
        );
      changes.push([name, sql`${stored}`]);
    }
  // When several folders share a name, an asset stays in its own.
  if (body.folder_name !== undefined && body.folder_name !== before?.folder)
    changes.push([
      "asset_group_id",
      sql`${await folderNamed(v3, runQuery, team, body.folder_name)}`,
    ]);
  return changes;
}

function memberOf(json: string | undefined) {
  const object = jsonFrom(json ?? "{}");
  return isJsonObject(object) ? object : new Map<string, never>();
}
