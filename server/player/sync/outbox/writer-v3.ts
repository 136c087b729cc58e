// Writes to a content service of version 3: reads complete lists, writes one body.

import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
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
import { rowsOf } from "../remote/remote-http.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { Send } from "../remote/send-http.ts";
import { assetOf, screenOf } from "./writer-v4.ts";
import {
  assertSupported,
  assertTaken,
  assertWritten,
  multipartOf,
  RemoteRejection,
  unconfirmed,
  Unnamed,
  withoutTitle,
  type CloudWriter,
} from "./remote-writer.ts";

/** Asset folders are names here, not rows. */
const paths: Readonly<Partial<Record<ReadCollection, string>>> = {
  ...{ assets: "assets", labels: "groups" },
  ...{ playlists: "playlists", screens: "screens" },
};

const supported: Readonly<Record<WrittenCollection, ReadonlySet<string>>> = {
  assets: new Set([
    ...["title", "source_url", "file", "folder", "headers", "metadata"],
    ...["js_injection", "disable_verification"],
  ]),
  groups: new Set(),
  labels: new Set(["name", "screens"]),
  playlists: new Set([
    ...["title", "predicate", "is_enabled", "priority", "items", "labels"],
  ]),
};

export function createWriterV3(send: Send, prefix: string): CloudWriter {
  const at = `${prefix}/v3/`;

  function pathOf(collection: ReadCollection): string {
    const path = paths[collection];
    if (path === undefined)
      throw new RemoteRejection(
        composeSentence(outboxSentences["no-folders"], { collection }),
      );
    return path;
  }

  const list = async (collection: ReadCollection): Promise<readonly Row[]> =>
    rowsOf(
      assertTaken(await send("GET", `${at}${pathOf(collection)}/`)).json,
      "anything",
    );

  async function fullRow(
    collection: ReadCollection,
    id: string,
  ): Promise<Row | null> {
    const path = `${at}${pathOf(collection)}/${encodeURIComponent(id)}/`;
    const answer = await send("GET", path);
    if (answer.status === 404) return null;
    const { json } = assertTaken(answer);
    // Only the service itself reports that it is gone (V2-831).
    if (isRow(json) && idIn(json) !== null) return json;
    throw new RemoteError("malformed", outboxSentences["entry-missing"]);
  }

  async function fields(
    collection: ReadCollection,
    row: Row,
  ): Promise<CloudFields | null> {
    // A list leaves out the assets of a playlist.
    const full =
      collection === "playlists" && row["assets"] === undefined
        ? await fullRow(collection, textIn(row, "id"))
        : row;
    return full && fieldsOf(collection, full);
  }

  return {
    read: async (collection, { after, limit }) => {
      const rows = (await list(collection))
        .filter(
          (row) =>
            idIn(row) !== null && (after === null || textIn(row, "id") > after),
        )
        .toSorted((a, b) => (textIn(a, "id") < textIn(b, "id") ? -1 : 1));
      const page: CloudFields[] = [];
      for (const row of rows.slice(0, limit)) {
        const one = await fields(collection, row);
        if (one) page.push(one);
      }
      const last = rows[limit - 1];
      return {
        rows: page,
        next: rows.length > limit && last ? idIn(last) : null,
      };
    },
    asKept: (desired) => desired,
    mediaSeconds: async () =>
      new Map(
        (await list("assets"))
          .map(
            (row) =>
              [textIn(row, "id"), numberIn(row, "duration") ?? 0] as const,
          )
          .filter(([, seconds]) => seconds > 0),
      ),
    one: async (collection, id) => {
      const row = await fullRow(collection, id);
      return row && fieldsOf(collection, row);
    },
    alike: async (collection, desired) => {
      const name = collection === "labels" ? "name" : "title";
      return (await list(collection))
        .filter(
          (row) =>
            textIn(row, name) === desired[name] &&
            (desired["source_url"] === undefined ||
              textIn(row, "source_url") === desired["source_url"]),
        )
        .map((row) => idIn(row))
        .filter((id) => id !== null);
    },
    create: async (collection, desired, file) => {
      assertSupported(desired, supported[collection], "v3");
      const path = `${at}${pathOf(collection)}/${file ? "upload/" : ""}`;
      const { json } = assertWritten(
        await send("POST", path, {
          ...(file
            ? { body: multipartOf({ title: String(desired["title"]) }, file) }
            : { json: bodyOf(collection, desired) }),
        }),
      );
      const id = isRow(json) ? idIn(json) : null;
      if (!id) throw new Unnamed(outboxSentences["created-unnamed"]);
      return id;
    },
    leftAfterCreation: (_, desired, hasFile) =>
      hasFile ? withoutTitle(desired) : {},
    write: async (collection, id, desired) => {
      assertSupported(desired, supported[collection], "v3");
      const { source_url: _, ...body } = bodyOf(collection, desired);
      if (Object.keys(body).length === 0) return true;
      const answer = await send("PATCH", `${at}${pathOf(collection)}/${id}/`, {
        json: body,
      });
      if (answer.status === 404) return false;
      const { json } = assertTaken(answer);
      if (!isRow(json) || idIn(json) === null) throw unconfirmed();
      return true;
    },
    remove: async (collection, id) => {
      const answer = await send("DELETE", `${at}${pathOf(collection)}/${id}/`);
      if (answer.status === 404) return;
      assertTaken(answer);
      // A deletion has no body that would confirm it.
      if ((await fullRow(collection, id)) !== null) throw unconfirmed();
    },
  };
}

const withId = (id: unknown): Row => ({ id });

function bodyOf(collection: WrittenCollection, fields: CloudFields): Row {
  const { items, labels, screens, folder, file: _, ...plain } = fields;
  return {
    ...plain,
    ...(folder !== undefined && { folder_name: folder }),
    ...(screens !== undefined && {
      screens: (screens as unknown[]).map(withId),
    }),
    ...(collection === "playlists" &&
      labels !== undefined && {
        groups: (labels as unknown[]).map(withId),
      }),
    ...(items !== undefined && {
      assets: (items as readonly Row[]).map((item) => ({
        id: item["asset_id"],
        duration: item["duration"],
      })),
    }),
  };
}

function fieldsOf(collection: ReadCollection, row: Row): CloudFields {
  const id = textIn(row, "id");
  const ids = (name: string): readonly string[] =>
    rowsIn(row, name)
      .map((one) => textIn(one, "id"))
      .toSorted();
  switch (collection) {
    case "labels":
      return {
        ...{ id, name: textIn(row, "name") },
        type: /^all[-_]screens$/.test(id) ? "all-screens" : "manual",
        screens: ids("screens"),
      };
    case "playlists":
      return {
        ...{
          id,
          title: textIn(row, "title"),
          predicate: textIn(row, "predicate"),
        },
        is_enabled: row["is_enabled"] !== false,
        priority: numberIn(row, "priority") ?? 0,
        items: rowsIn(row, "assets").map((item) => ({
          asset_id: textIn(item, "id"),
          duration: numberIn(item, "duration"),
        })),
        labels: ids("groups"),
      };
    case "screens":
      return screenOf(row);
    case "assets":
      return { ...assetOf(row), folder: textIn(row, "folder_name") };
    case "groups":
      return { id };
  }
}
