// Commands about playlists, of a content service or of a player.

import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import type { SchemasV2 } from "../../client/client.ts";
import { reading, writing, type Outcome } from "../command.ts";
import {
  dataOf,
  taggedDataOf,
  type PlayerConnection,
  type ServiceConnection,
} from "../connection.ts";
import {
  counted,
  detailsText,
  durationText,
  tableText,
} from "../output/text.ts";
import { playerAssetNamed } from "./assets.ts";
import {
  allLabels,
  assetNamed,
  labelNamed,
  oneNamed,
  playlistNamed,
  type Playlist,
} from "./find.ts";
import { asset, hasText, limit, playlist, search } from "./input.ts";
import { restText } from "./screens.ts";

type PlayerPlaylist = SchemasV2["Playlist"];

const list = reading({
  name: "playlists list",
  summary: "List playlists with their schedule",
  input: z.object({ search, limit }),
  onService: async (service, input) => {
    const all = await dataOf(service, service.client.GET("/playlists/"));
    const found = all.filter(({ title }) => hasText(title, input.search));
    const shown = found.slice(0, input.limit);
    const rows = shown.map((each) => [
      ...[each.title, each.is_enabled ? "on" : "off", String(each.priority)],
      ...[durationText(each.duration), each.predicate],
      ...[each.groups.map(({ name }) => name).join(", "), each.id],
    ]);
    const table = tableText(
      [
        ...["TITLE", "ENABLED", "PRIORITY", "DURATION"],
        ...["SCHEDULE", "LABELS", "ID"],
      ],
      ...([rows, "No playlists match."] as const),
    );
    return {
      ...{ data: shown, total: found.length },
      text: table + restText(found, shown),
    };
  },
  onPlayer: async (player, input) => {
    const found = (await allOf(player)).filter(({ name }) =>
      hasText(name, input.search),
    );
    const shown = found.slice(0, input.limit);
    const rows = shown.map((each) => [
      ...[each.name, each.is_enabled ? "on" : "off", String(each.priority)],
      ...[String(each.items.length), each.predicate, each.playlist_id],
    ]);
    const table = tableText(
      ["NAME", "ENABLED", "PRIORITY", "ITEMS", "SCHEDULE", "ID"],
      ...([rows, "No playlists match."] as const),
    );
    return {
      ...{ data: shown, total: found.length },
      text: table + restText(found, shown),
    };
  },
});

const show = reading({
  name: "playlists show",
  summary: "Show a playlist with its items",
  input: z.object({ playlist }),
  positions: ["playlist"],
  onService: async (service, input) =>
    outcomeOf(service, await playlistNamed(service, input.playlist)),
  onPlayer: async (player, input) =>
    playerOutcomeOf(player, await playerPlaylistNamed(player, input.playlist)),
});

const create = writing({
  name: "playlists create",
  summary: "Create a playlist",
  input: z.object({
    title: z.string().min(1).describe("Its title"),
    schedule: z
      .string()
      .optional()
      .describe("When it plays, as a predicate. Default: TRUE, always"),
    priority: z
      .int()
      .optional()
      .describe(
        "Playlists with a higher priority play instead of those with a lower one",
      ),
    label: z
      .array(z.string())
      .optional()
      .describe("Play it on screens with this label. Default: on no screen"),
    disabled: z.boolean().optional().describe("Create it disabled"),
  }),
  positions: ["title"],
  onService: async (service, input) => {
    const { title, schedule, priority, disabled, label = [] } = input;
    const all = label.length > 0 ? await allLabels(service) : [];
    const groups = label.map((name) => ({ id: labelNamed(name, all).id }));
    const body = {
      ...{ title, groups, is_enabled: disabled !== true },
      ...(schedule !== undefined && { predicate: schedule }),
      ...(priority !== undefined && { priority }),
    };
    return {
      changes: [creation(title, label)],
      carryOut: async () =>
        outcomeOf(
          service,
          await dataOf(service, service.client.POST("/playlists/", { body })),
        ),
    };
  },
  onPlayer: async (player, input) => {
    const { title, schedule, priority, disabled, label } = input;
    const body = {
      ...{ name: title, is_enabled: disabled !== true },
      ...(schedule !== undefined && { predicate: schedule }),
      ...(priority !== undefined && { priority }),
      ...(label && { groups: label }),
    };
    return {
      changes: [creation(title, label ?? [])],
      carryOut: async () =>
        playerOutcomeOf(
          player,
          await dataOf(
            player,
            player.client.POST("/api/v2/playlists", { body }),
          ),
        ),
    };
  },
});

function creation(title: string, labels: readonly string[]): string {
  const on = labels.map((name) => `"${name}"`).join(", ");
  return `Create the playlist "${title}"${on === "" ? "" : ` for screens with ${on}`}.`;
}

const add = writing({
  name: "playlists add",
  summary: "Add an asset to the end of a playlist",
  input: z.object({
    ...{ playlist, asset },
    duration: z
      .number()
      .min(0)
      .optional()
      .describe("Time on screen, in seconds. Default: the asset's own"),
  }),
  positions: ["playlist", "asset"],
  onService: async (service, input) => {
    const { id, title } = await playlistNamed(service, input.playlist);
    const added = await assetNamed(service, input.asset);
    const { duration = null } = input;
    return {
      changes: [`Add "${added.title}" to the playlist "${title}".`],
      carryOut: () =>
        changeItems(service, id, (items) => [
          ...items,
          { id: added.id, duration },
        ]),
    };
  },
  onPlayer: async (player, input) => {
    const found = await playerPlaylistNamed(player, input.playlist);
    const added = await playerAssetNamed(player, input.asset);
    const { playlist_id: id, name, items_revision } = found;
    const { asset_id } = added;
    const item = { asset_id, duration: input.duration ?? null };
    return {
      changes: [`Add "${added.name ?? asset_id}" to the playlist "${name}".`],
      carryOut: async () =>
        playerOutcomeOf(
          player,
          await dataOf(
            player,
            player.client.POST("/api/v2/playlists/{id}/items", {
              params: { path: { id } },
              body: { items: [item], items_revision },
            }),
          ),
        ),
    };
  },
});

const remove = writing({
  name: "playlists remove",
  summary: "Remove an asset from a playlist; the asset itself stays",
  input: z.object({ playlist, asset }),
  positions: ["playlist", "asset"],
  onService: async (service, input) => {
    const { id, title, assets } = await playlistNamed(service, input.playlist);
    const removed = await assetNamed(service, input.asset);
    const kept = assets.filter((item) => item.id !== removed.id);
    const count = assets.length - kept.length;
    if (count === 0) throw isNotIn(removed.title, title);
    return {
      changes: [removal(removed.title, title, count)],
      carryOut: () =>
        changeItems(service, id, (items) =>
          items.filter((item) => item.id !== removed.id),
        ),
    };
  },
  onPlayer: async (player, input) => {
    const found = await playerPlaylistNamed(player, input.playlist);
    const removed = await playerAssetNamed(player, input.asset);
    const { playlist_id: id, name, items, items_revision } = found;
    const title = removed.name ?? removed.asset_id;
    const kept = items.filter(({ asset_id }) => asset_id !== removed.asset_id);
    const count = items.length - kept.length;
    if (count === 0) throw isNotIn(title, name);
    return {
      changes: [removal(title, name, count)],
      carryOut: async () =>
        playerOutcomeOf(
          player,
          await dataOf(
            player,
            player.client.PATCH("/api/v2/playlists/{id}", {
              params: { path: { id } },
              body: { items: kept, items_revision },
            }),
          ),
        ),
    };
  },
});

function isNotIn(title: string, playlist: string): Failure {
  return new Failure(
    "not-found",
    `"${title}" is not in the playlist "${playlist}".`,
  );
}

function removal(title: string, playlist: string, count: number): string {
  const times = count === 1 ? "" : `, ${count} times`;
  return `Remove "${title}" from the playlist "${playlist}"${times}.`;
}

interface Item {
  readonly id: string;
  readonly duration: number | null;
}

/** Of clients that change the same playlist at once, all but one find it changed and try again. */
const maxTries = 10;

/** Changes the items as they are at that moment: what others have added or removed meanwhile stays so (V3-151). */
async function changeItems(
  service: ServiceConnection,
  id: string,
  change: (items: readonly Item[]) => readonly Item[],
): Promise<Outcome> {
  const params = { path: { id } };
  for (let tries = 1; ; tries += 1) {
    const { data, tag } = await taggedDataOf(
      service,
      service.client.GET("/playlists/{id}/", { params }),
    );
    try {
      const changed = await dataOf(
        service,
        service.client.PATCH("/playlists/{id}/", {
          ...{ params, body: { assets: [...change(data.assets)] } },
          headers: tag === null ? {} : { "If-Match": tag },
        }),
      );
      return await outcomeOf(service, changed);
    } catch (error) {
      const isChanged = error instanceof Failure && error.code === "conflict";
      if (!isChanged || tries === maxTries) throw error;
    }
  }
}

async function outcomeOf(
  service: ServiceConnection,
  playlist: Playlist,
): Promise<Outcome> {
  const titles = new Map(
    playlist.assets.length === 0
      ? []
      : (await dataOf(service, service.client.GET("/assets/"))).map((each) => [
          ...([each.id, each.title] as const),
        ]),
  );
  const items = playlist.assets.map(({ id, duration }) => ({
    ...{ id, title: titles.get(id) ?? "", duration },
  }));
  return {
    data: { ...playlist, assets: items },
    text: [
      detailsText([
        ["Title", playlist.title],
        ["ID", playlist.id],
        ["Enabled", playlist.is_enabled ? "yes" : "no"],
        ["Schedule", playlist.predicate],
        ["Priority", String(playlist.priority)],
        ["Labels", playlist.groups.map(({ name }) => name).join(", ")],
        ["Items", counted(items.length, "item", "items")],
      ]),
      tableText(
        ["ASSET", "DURATION", "ID"],
        items.map(({ id, title, duration }) => [
          ...[title, durationText(duration), id],
        ]),
        "This playlist is empty.",
      ),
    ].join("\n\n"),
  };
}

async function allOf(
  player: PlayerConnection,
): Promise<readonly PlayerPlaylist[]> {
  return dataOf(player, player.client.GET("/api/v2/playlists"));
}

async function playerPlaylistNamed(
  player: PlayerConnection,
  word: string,
): Promise<PlayerPlaylist> {
  return oneNamed("playlist", word, await allOf(player), (each) => ({
    ...{ id: each.playlist_id, name: each.name },
  }));
}

async function playerOutcomeOf(
  player: PlayerConnection,
  playlist: PlayerPlaylist,
): Promise<Outcome> {
  const assets = await dataOf(player, player.client.GET("/api/v2/assets"));
  const names = new Map(assets.map((each) => [each.asset_id, each.name]));
  const rows = playlist.items.map(({ asset_id, duration }) => [
    names.get(asset_id) ?? "",
    duration === null ? "" : durationText(duration),
    asset_id,
  ]);
  return {
    data: playlist,
    text: [
      detailsText([
        ["Name", playlist.name],
        ["ID", playlist.playlist_id],
        ["Enabled", playlist.is_enabled ? "yes" : "no"],
        ["Schedule", playlist.predicate],
        ["Priority", String(playlist.priority)],
        ["Labels", playlist.groups.join(", ")],
      ]),
      tableText(["ASSET", "DURATION", "ID"], rows, "This playlist is empty."),
    ].join("\n\n"),
  };
}

export const playlistCommands = [list, show, create, add, remove];
