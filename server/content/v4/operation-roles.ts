// Which role each operation of version 4 needs at least, and what a limit to labels means for it (V4-361, V4-362).

import type { Request } from "express";
import {
  reads,
  writes,
  writesWithin,
  type OperationAccess,
} from "../../contract/operation-access.ts";
import type { FindAccess } from "../access/operation-roles.ts";
import { catalogues, type Method } from "../catalogue.ts";
import { copyAssetsPath } from "./respond/openapi.ts";
import { placeOf } from "./router.ts";

type OfMethods = Readonly<Partial<Record<Method, OperationAccess>>>;

const reading: OfMethods = { GET: reads("viewer") };
/** Content that plays where its playlists do. */
const content: OfMethods = {
  ...reading,
  POST: writesWithin("editor"),
  PATCH: writesWithin("editor"),
  DELETE: writesWithin("editor"),
};
/** Edge apps play wherever they are installed. */
const app: OfMethods = {
  ...reading,
  POST: writes("editor"),
  PATCH: writes("editor"),
  DELETE: writes("editor"),
};

/** By the name of the table. */
const accessOfTables: Readonly<Record<string, OfMethods>> = {
  asset_groups: {
    ...reading,
    POST: writesWithin("editor"),
    PATCH: writes("editor"),
    DELETE: writes("editor"),
  },
  assets: content,
  labels: {
    ...reading,
    POST: writes("operator"),
    PATCH: writes("operator"),
    DELETE: writes("operator"),
  },
  label_screen: {
    ...reading,
    POST: writesWithin("operator"),
    DELETE: writesWithin("operator"),
  },
  label_playlist: {
    ...reading,
    POST: writesWithin("editor"),
    DELETE: writesWithin("editor"),
  },
  screens: {
    ...reading,
    PATCH: writesWithin("operator"),
    DELETE: writesWithin("operator"),
  },
  playlists: content,
  playlist_items: content,
  shared_playlists: {
    ...reading,
    POST: writes("admin"),
    DELETE: writes("admin"),
  },
  users: reading,
  teams: reading,
  edge_apps: app,
  edge_app_versions: app,
  edge_app_channels: app,
  edge_app_installations: app,
  edge_app_settings: app,
  edge_app_setting_values: app,
  edge_app_secret_values: { POST: writes("editor") },
};

const accessOfCopying: OfMethods = { POST: writes("editor") };

const tableAtPath = new Map(
  Object.values(catalogues).flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ path, name }) =>
      path === null ? [] : [[path, name] as const],
    ),
  ),
);

/** The description at the root is for everyone. */
export const findAccessV4: FindAccess = ({ path, method }: Request) => {
  const place = placeOf(path);
  if (place === null || place.path === "" || method === "OPTIONS") return null;
  const table = tableAtPath.get(place.path);
  const isCopying = place.path === copyAssetsPath;
  const ofMethods = isCopying ? accessOfCopying : accessOfTables[table ?? ""];
  const name = method === "HEAD" ? "GET" : method;
  return ofMethods?.[name as Method] ?? "missing";
};
