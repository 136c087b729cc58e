// Writes to a content service of version 4: row by row, with items and links as differences from what is there.

import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { isSameField } from "../../../core/sync-plan/outbox.ts";
import type {
  CloudFields,
  ReadCollection,
  WrittenCollection,
} from "../../../core/sync-plan/outbox.ts";
import {
  idIn,
  isRow,
  numberIn,
  rowsIn,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";
import {
  rowsOf,
  isPartial,
  readPages,
  type RowPage,
} from "../remote/remote-http.ts";
import type { Send, SendOptions } from "../remote/send-http.ts";
import {
  assertSupported,
  assertTaken,
  assertWritten,
  multipartOf,
  Unnamed,
  withoutTitle,
  type CloudWriter,
} from "./remote-writer.ts";

const paths: Readonly<Record<ReadCollection, string>> = {
  assets: "assets",
  groups: "asset-groups",
  labels: "labels",
  playlists: "playlists",
  screens: "screens",
};

const selects: Readonly<Record<ReadCollection, string>> = {
  assets: "*",
  groups: "*",
  labels: "*,screens(id)",
  playlists: "*,playlist_items(id,asset_id,duration,position),labels(id)",
  screens: "*",
};

/** Columns of the row itself, by our name and the service's. */
const columns: Readonly<
  Record<WrittenCollection, Readonly<Record<string, string>>>
> = {
  assets: {
    ...{ title: "title", headers: "headers", metadata: "metadata" },
    ...{ js_injection: "js_injection", group_id: "asset_group_id" },
    ...{ disable_verification: "disable_verification" },
    ...{ send_metadata: "send_metadata", source_url: "source_url" },
  },
  groups: { title: "title" },
  labels: { name: "name" },
  playlists: {
    ...{ title: "title", predicate: "predicate", is_enabled: "is_enabled" },
    ...{ priority: "priority", transitions: "transitions" },
  },
};
const columns41 = { user_agent: "user_agent", zoom_level: "zoom_level" };
const related: Readonly<Record<WrittenCollection, readonly string[]>> = {
  ...{ assets: [], groups: [], labels: ["screens"] },
  playlists: ["items", "labels"],
};

const representation = { Prefer: "return=representation" } as const;
/** Leaves gaps between item positions, as other clients do. */
const positionStep = 100_000;
const idsPerQuestion = 100;

export function createWriterV4(
  send: Send,
  prefix: string,
  version: "v4" | "v4.1",
): CloudWriter {
  const at = `${prefix}/${version}/`;
  const columnsOf = (
    collection: WrittenCollection,
  ): Readonly<Record<string, string>> =>
    collection === "assets" && version === "v4.1"
      ? { ...columns.assets, ...columns41 }
      : columns[collection];

  const fetchPage = async (path: string): Promise<RowPage> => {
    const answer = assertTaken(await send("GET", at + path));
    return {
      rows: rowsOf(answer.json, "anything"),
      isPartial: isPartial(answer),
    };
  };
  /** All rows, however few the service returns at once (V2-541); the path states their order. */
  const all = async (path: string): Promise<readonly Row[]> => {
    const allRows: Row[] = [];
    await readPages({
      key: null,
      page: (_, count) =>
        fetchPage(count === 0 ? path : `${path}&offset=${count}`),
      seen: (rows) => allRows.push(...rows),
    });
    return allRows;
  };
  const sendRow = async (
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    options: SendOptions = {},
  ): Promise<void> => {
    assertWritten(await send(method, at + path, options));
  };

  function wireOf(collection: WrittenCollection, fields: CloudFields): Row {
    const supported = columnsOf(collection);
    return Object.fromEntries<unknown>(
      Object.entries(fields)
        .filter(([name]) => supported[name] !== undefined)
        .map(([name, value]) => [
          supported[name] ?? name,
          name === "priority" ? Number(value) > 0 : value,
        ]),
    );
  }

  function assertOurs(
    collection: WrittenCollection,
    fields: CloudFields,
  ): void {
    const supported = new Set([
      ...Object.keys(columnsOf(collection)),
      ...related[collection],
      ...(collection === "assets" ? ["file"] : []),
    ]);
    assertSupported(fields, supported, version);
  }

  async function one(
    collection: WrittenCollection,
    id: string,
  ): Promise<CloudFields | null> {
    const { rows } = await fetchPage(
      `${paths[collection]}?select=${selects[collection]}&id=eq.${encodeURIComponent(id)}`,
    );
    const [row] = rows;
    return row ? fieldsOf(collection, row) : null;
  }

  /** False: no row was changed, since the service does not have it any more. A success alone does not tell (V2-838). */
  async function writeRow(
    collection: WrittenCollection,
    id: string,
    row: Row,
  ): Promise<boolean> {
    const { json } = assertWritten(
      await send("PATCH", `${at}${paths[collection]}?id=eq.${id}&select=id`, {
        ...{ json: row, headers: representation },
      }),
    );
    return Array.isArray(json)
      ? json.length > 0
      : (await one(collection, id)) !== null;
  }

  async function writeItems(id: string, desired: unknown): Promise<void> {
    const rows = await all(
      `playlist-items?select=*&playlist_id=eq.${id}&order=position.asc,id.asc`,
    );
    const items = desired as readonly {
      readonly asset_id: string;
      readonly duration: number;
    }[];
    // The last rows may come from a step whose response was lost: then only the old ones are deleted.
    const mark = Math.max(0, rows.length - items.length);
    const isMade = isSameField("items", rows.slice(mark).map(itemOf), items);
    const last = Math.max(
      0,
      ...rows.map((row) => numberIn(row, "position") ?? 0),
    );
    if (!isMade)
      await sendRow("POST", "playlist-items", {
        json: items.map(({ asset_id, duration }, place) => ({
          ...{ playlist_id: id, asset_id, duration },
          position: last + (place + 1) * positionStep,
        })),
      });
    // New items first: a playlist is never empty in between.
    const ids = (isMade ? rows.slice(0, mark) : rows)
      .map((row) => idIn(row))
      .filter((one) => one !== null);
    for (let from = 0; from < ids.length; from += idsPerQuestion)
      await sendRow(
        "DELETE",
        `playlist-items?id=in.(${ids.slice(from, from + idsPerQuestion).join()})`,
      );
  }

  /** An item without a duration plays a video to its end. */
  async function mediaSeconds(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const secondsById = new Map<string, number>();
    const supported = [...new Set(ids)].filter((id) => /^[\w-]+$/.test(id));
    for (let from = 0; from < supported.length; from += idsPerQuestion)
      for (const row of await all(
        `assets?select=id,duration&id=in.(${supported.slice(from, from + idsPerQuestion).join()})&order=id.asc`,
      )) {
        const seconds = numberIn(row, "duration");
        if (seconds !== null && seconds > 0)
          secondsById.set(textIn(row, "id"), seconds);
      }
    return secondsById;
  }

  /** Rows of a link table: creates missing ones, deletes surplus ones. */
  async function writeLinks(
    path: string,
    [own, id]: readonly [string, string],
    other: string,
    desired: unknown,
  ): Promise<void> {
    const rows = await all(
      `${path}?select=${other}&${own}=eq.${id}&order=${other}.asc`,
    );
    const there = new Set(rows.map((row) => textIn(row, other)));
    const ids = new Set(desired as readonly string[]);
    for (const one of ids)
      if (!there.has(one)) {
        const answer = await send("POST", at + path, {
          json: { [own]: id, [other]: one },
        });
        // It exists already: another client was first, or our own response was lost.
        const isThere = answer.status === 409 && !isHeldBack(answer.json);
        if (!isThere) assertWritten(answer);
      }
    for (const one of there)
      if (!ids.has(one))
        await sendRow("DELETE", `${path}?${own}=eq.${id}&${other}=eq.${one}`);
  }

  return {
    read: async (collection, { after, limit }) => {
      const behind =
        after === null ? "" : `&id=gt.${encodeURIComponent(after)}`;
      const { rows, isPartial: hasMore } = await fetchPage(
        `${paths[collection]}?select=${selects[collection]}&order=id.asc&limit=${limit}${behind}`,
      );
      const last = rows.at(-1);
      return {
        rows: rows
          .filter((row) => isShown(collection, row))
          .map((row) => fieldsOf(collection, row)),
        next: hasMore === false || !last ? null : idIn(last),
      };
    },
    // Priority is a boolean here.
    asKept: (fields) =>
      fields["priority"] === undefined
        ? fields
        : { ...fields, priority: Number(fields["priority"]) > 0 ? 1 : 0 },
    mediaSeconds,
    one,
    alike: async (collection, fields) => {
      const name = collection === "labels" ? "name" : "title";
      const rows = await all(
        `${paths[collection]}?select=*&${name}=eq.${encodeURIComponent(String(fields[name]))}&order=id.asc`,
      );
      return rows
        .filter(
          (row) =>
            fields["source_url"] === undefined ||
            textIn(row, "source_url") === fields["source_url"],
        )
        .map((row) => idIn(row))
        .filter((id) => id !== null);
    },
    create: async (collection, fields, file) => {
      assertOurs(collection, fields);
      const title = textIn(fields, "title");
      const answer = assertWritten(
        await send("POST", at + paths[collection], {
          headers: representation,
          ...(file
            ? { body: multipartOf({ title }, file) }
            : { json: wireOf(collection, fields) }),
        }),
      );
      const created = Array.isArray(answer.json)
        ? (answer.json[0] as Row)
        : null;
      const id = created && idIn(created);
      if (!id) throw new Unnamed(outboxSentences["created-unnamed"]);
      return id;
    },
    leftAfterCreation: (collection, fields, hasFile) =>
      hasFile ? withoutTitle(fields) : only(related[collection], fields),
    write: async (collection, id, fields) => {
      assertOurs(collection, fields);
      // The source is sent only once, at creation.
      const { source_url: _, ...row } = wireOf(collection, fields);
      if (Object.keys(row).length > 0 && !(await writeRow(collection, id, row)))
        return false;
      if (fields["items"] !== undefined) await writeItems(id, fields["items"]);
      if (fields["screens"] !== undefined)
        await writeLinks(
          "labels/screens",
          ["label_id", id],
          "screen_id",
          fields["screens"],
        );
      if (collection === "playlists" && fields["labels"] !== undefined)
        await writeLinks(
          "labels/playlists",
          ["playlist_id", id],
          "label_id",
          fields["labels"],
        );
      return true;
    },
    remove: (collection, id) =>
      sendRow("DELETE", `${paths[collection]}?id=eq.${id}`),
  };
}

function only(names: readonly string[], fields: CloudFields): CloudFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => names.includes(name)),
  );
}

/** Hides parts of other assets, which are shown with these, and a screen's own label, which is shown with the screen. */
function isShown(collection: ReadCollection, row: Row): boolean {
  const type = textIn(row, "type");
  if (collection === "assets")
    return type !== "edge-app-file" && type !== "pdf-page";
  return collection !== "labels" || type !== "screen";
}

function itemOf(row: Row): CloudFields {
  return {
    asset_id: textIn(row, "asset_id"),
    duration: numberIn(row, "duration"),
  };
}

function idsIn(row: Row, name: string): readonly string[] {
  return rowsIn(row, name)
    .map((one) => idIn(one))
    .filter((id) => id !== null)
    .sort();
}

function fieldsOf(collection: ReadCollection, row: Row): CloudFields {
  const id = textIn(row, "id");
  switch (collection) {
    case "groups":
      return { id, title: textIn(row, "title") };
    case "labels":
      return {
        ...{ id, name: textIn(row, "name"), type: textIn(row, "type") },
        screens: idsIn(row, "screens"),
      };
    case "playlists":
      return {
        ...{
          id,
          title: textIn(row, "title"),
          predicate: textIn(row, "predicate"),
        },
        is_enabled: row["is_enabled"] !== false,
        priority:
          row["priority"] === true || (numberIn(row, "priority") ?? 0) > 0
            ? 1
            : 0,
        transitions: row["transitions"] !== false,
        items: rowsIn(row, "playlist_items")
          .toSorted(
            (a, b) =>
              (numberIn(a, "position") ?? 0) - (numberIn(b, "position") ?? 0),
          )
          .map(itemOf),
        labels: idsIn(row, "labels"),
      };
    case "screens":
      return screenOf(row);
    case "assets":
      return { ...assetOf(row), group_id: row["asset_group_id"] ?? null };
  }
}

/** Fields of a screen that both versions have. */
export function screenOf(row: Row): CloudFields {
  return {
    ...{ id: textIn(row, "id"), name: textIn(row, "name") },
    ...{ hostname: textIn(row, "hostname"), status: textIn(row, "status") },
    ...{
      is_enabled: row["is_enabled"] !== false,
      in_sync: row["in_sync"] === true,
    },
    ...{ location: textIn(row, "location"), timezone: textIn(row, "timezone") },
    last_ping: row["last_ping"] ?? null,
  };
}

/** Fields of an asset that both versions have. */
export function assetOf(row: Row): CloudFields {
  return {
    ...{ id: textIn(row, "id"), title: textIn(row, "title") },
    ...{ type: row["type"] ?? null, status: textIn(row, "status") },
    problem: textIn(row, "processing_error"),
    duration: numberIn(row, "duration"),
    ...{ width: numberIn(row, "width"), height: numberIn(row, "height") },
    source_url: textIn(row, "source_url"),
    ...{ headers: row["headers"] ?? {}, metadata: row["metadata"] ?? {} },
    js_injection: textIn(row, "js_injection"),
    disable_verification: row["disable_verification"] === true,
    ...("send_metadata" in row && {
      send_metadata: row["send_metadata"] === true,
    }),
    ...("user_agent" in row && { user_agent: row["user_agent"] }),
    ...("zoom_level" in row && { zoom_level: row["zoom_level"] }),
  };
}

/** The change would break an assertion that an operator of the service keeps (V3-107). */
function isHeldBack(json: unknown): boolean {
  return isRow(json) && json["code"] === "P0001";
}
