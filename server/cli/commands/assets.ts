// Commands about assets, of a content service or of a player.

import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import type { SchemasV2 } from "../../client/client.ts";
import { reading, writing, type Outcome } from "../command.ts";
import {
  dataOf,
  type Connection,
  type PlayerConnection,
  type ServiceConnection,
} from "../connection.ts";
import {
  detailsText,
  durationText,
  momentText,
  tableText,
} from "../output/text.ts";
import { assetNamed, oneNamed, type Asset } from "./find.ts";
import { asset, hasText, limit, search } from "./input.ts";
import { restText } from "./screens.ts";

type PlayerAsset = SchemasV2["Asset"];

const list = reading({
  name: "assets list",
  summary: "List assets",
  input: z.object({ search, limit }),
  onService: async (service, input) => {
    const all = await dataOf(service, service.client.GET("/assets/"));
    const found = all.filter(({ title }) => hasText(title, input.search));
    const shown = found.slice(0, input.limit);
    const rows = shown.map((each) => [
      ...[each.title, each.type ?? "", each.status],
      ...[durationText(each.duration), each.folder_name, each.id],
    ]);
    const headings = ["TITLE", "TYPE", "STATUS", "DURATION", "FOLDER", "ID"];
    const table = tableText(headings, rows, "No assets match.");
    return {
      ...{ data: shown, total: found.length },
      text: table + restText(found, shown),
    };
  },
  onPlayer: async (player, input) => {
    const found = (await allOf(player)).filter(({ name }) =>
      hasText(name ?? "", input.search),
    );
    const shown = found.slice(0, input.limit);
    const rows = shown.map((each) => [
      ...[each.name ?? "", each.mimetype ?? ""],
      ...[each.is_enabled ? "on" : "off", durationText(each.duration ?? 0)],
      each.asset_id,
    ]);
    const headings = ["NAME", "TYPE", "ENABLED", "DURATION", "ID"];
    const table = tableText(headings, rows, "No assets match.");
    return {
      ...{ data: shown, total: found.length },
      text: table + restText(found, shown),
    };
  },
});

const show = reading({
  name: "assets show",
  summary: "Show an asset",
  input: z.object({ asset }),
  positions: ["asset"],
  onService: async (service, input) =>
    outcomeOf(await assetNamed(service, input.asset)),
  onPlayer: async (player, input) =>
    playerOutcomeOf(await playerAssetNamed(player, input.asset)),
});

const add = writing({
  name: "assets add",
  summary: "Add a file or a web address as an asset",
  input: z.object({
    source: z
      .string()
      .min(1)
      .describe("A file on this PC, or an http or https address"),
    title: z
      .string()
      .optional()
      .describe("Default: the name of the file, or the address"),
    folder: z.string().optional().describe("The folder of the asset"),
  }),
  positions: ["source"],
  onService: async (service, { source, title, folder }) => {
    const fields = {
      ...(title !== undefined && { title }),
      ...(folder !== undefined && { folder_name: folder }),
    };
    const file = await fileAt(service, source);
    return {
      changes: [addition(source, title, file)],
      carryOut: async () =>
        outcomeOf(
          file === null
            ? await dataOf(
                service,
                service.client.POST("/assets/", {
                  body: { ...fields, source_url: source },
                }),
              )
            : await upload(service, source, file, fields),
        ),
    };
  },
  onPlayer: async (player, { source, title, folder }) => {
    const file = await fileAt(player, source);
    return {
      changes: [addition(source, title, file)],
      carryOut: async () => {
        const uri =
          file === null ? source : await uploadToPlayer(player, source, file);
        const name = title ?? (file === null ? source : basename(source));
        const body = { uri, name, ...(folder !== undefined && { folder }) };
        return playerOutcomeOf(
          await dataOf(
            player,
            player.client.POST("/api/v2/assets/add", { body }),
          ),
        );
      },
    };
  },
});

function addition(
  source: string,
  title: string | undefined,
  file: Blob | null,
): string {
  const size = file === null ? "" : ` (${megabytes(file.size)} MB)`;
  const named = title === undefined ? "" : ` as "${title}"`;
  return `Add the ${file === null ? "address" : "file"} ${source}${size}${named}.`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** Null for an address. A file is read while it is sent. */
async function fileAt(
  { mayReadFiles }: Connection,
  source: string,
): Promise<Blob | null> {
  if (/^https?:\/\//i.test(source)) return null;
  if (!mayReadFiles)
    throw new Failure(
      "malformed",
      "The source must be an http or https address: files of this PC are not read here.",
    );
  try {
    return await openAsBlob(source);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(
      "not-found",
      `Cannot read the file ${source}${code ? ` (${code})` : ""}. Check the path, or give an http or https address.`,
    );
  }
}

async function upload(
  service: ServiceConnection,
  source: string,
  file: Blob,
  fields: Readonly<Record<string, string>>,
): Promise<Asset> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file, basename(source));
  return dataOf(
    service,
    service.client.POST("/assets/upload/", {
      ...{ body: { file }, bodySerializer: () => form },
    }),
  );
}

async function uploadToPlayer(
  player: PlayerConnection,
  source: string,
  file: Blob,
): Promise<string> {
  const form = new FormData();
  form.set("file_upload", file, basename(source));
  const { uri } = await dataOf(
    player,
    player.client.POST("/api/v2/file_asset", {
      ...{ body: { file_upload: file }, bodySerializer: () => form },
    }),
  );
  return uri ?? "";
}

const remove = writing({
  name: "assets remove",
  summary: "Delete an asset, and remove it from all playlists",
  input: z.object({ asset }),
  positions: ["asset"],
  onService: async (service, input) => {
    const { id, title } = await assetNamed(service, input.asset);
    return {
      changes: [
        `Delete the asset "${title}", and remove it from all playlists.`,
      ],
      carryOut: async () => {
        await dataOf(
          service,
          service.client.DELETE("/assets/{id}/", { params: { path: { id } } }),
        );
        return { data: { id, title }, text: `Deleted "${title}".` };
      },
    };
  },
  onPlayer: async (player, input) => {
    const { asset_id, name } = await playerAssetNamed(player, input.asset);
    const title = name ?? asset_id;
    return {
      changes: [`Move the asset "${title}" to the player's trash.`],
      carryOut: async () => {
        await dataOf(
          player,
          player.client.POST("/api/v2/trash", {
            body: { asset_ids: [asset_id] },
          }),
        );
        return {
          data: { asset_id, name },
          text: `Moved "${title}" to the player's trash.`,
        };
      },
    };
  },
});

async function allOf(
  player: PlayerConnection,
): Promise<readonly PlayerAsset[]> {
  return dataOf(player, player.client.GET("/api/v2/assets"));
}

export async function playerAssetNamed(
  player: PlayerConnection,
  word: string,
): Promise<PlayerAsset> {
  return oneNamed("asset", word, await allOf(player), (each) => ({
    ...{ id: each.asset_id, name: each.name ?? "" },
  }));
}

function outcomeOf(asset: Asset): Outcome {
  const { title, id, type, status, duration, source_url } = asset;
  return {
    data: asset,
    text: detailsText([
      ["Title", title],
      ["ID", id],
      ["Type", type],
      ["Status", status],
      ["Duration", durationText(duration)],
      ["Size", asset.width > 0 ? `${asset.width} × ${asset.height}` : null],
      ["Folder", asset.folder_name],
      ["Source", source_url],
    ]),
  };
}

function playerOutcomeOf(asset: PlayerAsset): Outcome {
  return {
    data: asset,
    text: detailsText([
      ["Name", asset.name],
      ["ID", asset.asset_id],
      ["Type", asset.mimetype],
      ["Enabled", asset.is_enabled ? "yes" : "no"],
      ["Duration", durationText(asset.duration ?? 0)],
      ["From", momentText(asset.start_date)],
      ["To", momentText(asset.end_date)],
      ["Address", asset.uri],
      ["Problem", asset.metadata.error_message ?? null],
    ]),
  };
}

export const assetCommands = [list, show, add, remove];
