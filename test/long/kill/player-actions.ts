// Client requests to a player and the state they must leave: the one before or the one after, nothing in between.

import { createHash } from "node:crypto";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { picture } from "../../support/media/media.ts";
import type { Random } from "./random.ts";

/** An asset as a client sees it. */
export interface Seen {
  readonly id: string;
  readonly name: string;
  readonly duration: number;
  /** SHA-256 of its content. */
  readonly hash: string;
}

/** A player as a client sees it: its name, its assets in order, and the contents of its playlist. */
export interface State {
  readonly playerName: string;
  readonly assets: readonly Seen[];
  /** Identifiers of assets; empty if there is no playlist yet. */
  readonly playlistOrder: readonly string[];
}

export const kinds = [
  ...(["create", "patch", "delete", "order"] as const),
  ...(["fill", "rename", "backup", "recover"] as const),
];
export type Kind = (typeof kinds)[number];

/** One request and the state that it leads to. */
export interface Action {
  readonly kind: Kind;
  /** Takes from the found state only what cannot be predicted: the id of a new asset. */
  readonly after: (found: State) => State;
  /** Throws if the response is no success, or if there is none. */
  act(address: string): Promise<void>;
}

export interface Archive {
  readonly name: string;
  readonly bytes: Buffer;
  readonly state: State;
}

const inKilobytes = 1024;
const jsonHeaders = { "Content-Type": "application/json" };
const dates = { start_date: "2020-01-01", end_date: "2100-01-01" };

/** A unique image of up to some hundred kilobytes; now and then one that was there before. */
function pictureOf(random: Random): Buffer {
  const head = picture([random.below(40), 0, 0]);
  if (random.share() < 0.3) return head;
  const size = random.below(600) * inKilobytes;
  return Buffer.concat([head, Buffer.alloc(size, random.below(256))]);
}

export function createActions(random: Random) {
  const archives: Archive[] = [];
  let count = 0;

  function create(state: State): Action {
    const bytes = pictureOf(random);
    const name = `Asset ${(count += 1)}`;
    const duration = 3600 + random.below(1000);
    const hash = sha256(bytes);
    return {
      kind: "create",
      after: ({ assets }) => ({
        ...state,
        assets: [
          ...state.assets,
          { id: assets.at(-1)?.id ?? "", name, duration, hash },
        ],
      }),
      act: async (address) => {
        const uri = await upload(address, bytes);
        await send(address, "POST", "/assets", {
          ...{ name, uri, duration, mimetype: "image", is_enabled: true },
          ...dates,
        });
      },
    };
  }

  function patch(state: State): Action {
    const { id } = random.oneOf(state.assets);
    const name = `Other ${(count += 1)}`;
    const duration = 3600 + random.below(1000);
    return {
      kind: "patch",
      after: () => ({
        ...state,
        assets: state.assets.map((asset) =>
          asset.id === id ? { ...asset, name, duration } : asset,
        ),
      }),
      act: (address) =>
        send(address, "PATCH", `/assets/${id}`, { name, duration }),
    };
  }

  function remove(state: State): Action {
    const { id } = random.oneOf(state.assets);
    return {
      kind: "delete",
      after: () => ({
        ...state,
        assets: state.assets.filter((asset) => asset.id !== id),
        playlistOrder: state.playlistOrder.filter((assetId) => assetId !== id),
      }),
      act: (address) => send(address, "DELETE", `/assets/${id}`),
    };
  }

  function order(state: State): Action {
    const assets = random.shuffled(state.assets);
    const ids = assets.map(({ id }) => id).join();
    return {
      kind: "order",
      after: () => ({ ...state, assets }),
      act: (address) => send(address, "POST", "/assets/order", { ids }),
    };
  }

  function fill(state: State): Action {
    const playlistOrder = Array.from(
      { length: 1 + random.below(30) },
      () => random.oneOf(state.assets).id,
    );
    return {
      kind: "fill",
      after: () => ({ ...state, playlistOrder }),
      act: async (address) => {
        const items = playlistOrder.map((id) => ({ asset_id: id }));
        const [there] = await playlists(address);
        if (there) await send(address, "PATCH", pathOf(there), { items });
        else await send(address, "POST", "/playlists", { name: "X", items });
      },
    };
  }

  function rename(state: State): Action {
    const playerName = `Player ${(count += 1)}`;
    return {
      kind: "rename",
      after: () => ({ ...state, playerName }),
      act: (address) =>
        send(address, "PATCH", "/device_settings", { player_name: playerName }),
    };
  }

  function backup(state: State): Action {
    return {
      kind: "backup",
      after: () => state,
      act: async (address) => {
        const made = await request(address, "/backup", { method: "POST" });
        const name = (await made.json()) as string;
        const archive = await request(address, `/backups/${name}`);
        const bytes = Buffer.from(await archive.arrayBuffer());
        archives.push({ name, bytes, state });
        if (archives.length > 3) archives.shift();
      },
    };
  }

  function recover(state: State): Action {
    if (archives.length === 0) return backup(state);
    const archive = random.oneOf(archives);
    return {
      kind: "recover",
      after: () => archive.state,
      act: async (address) => {
        const body = new FormData();
        const bytes = new Uint8Array(archive.bytes);
        body.set("backup_upload", new Blob([bytes]), "b.tar.gz");
        await request(address, "/recover", { method: "POST", body });
      },
    };
  }

  const makers: Readonly<Record<Kind, (state: State) => Action>> = {
    ...{ create, patch, delete: remove, order, fill, rename },
    ...{ backup, recover },
  };
  return {
    archives: archives as readonly Archive[],
    /** If the assets that this kind needs are missing, creates one instead. */
    of: (kind: Kind, state: State): Action => {
      const needsAssets = ["patch", "delete", "order", "fill"].includes(kind);
      const isPossible = !needsAssets || state.assets.length > 1;
      return makers[isPossible ? kind : "create"](state);
    },
  };
}

export async function upload(address: string, bytes: Buffer): Promise<string> {
  const body = new FormData();
  body.set("file_upload", new Blob([new Uint8Array(bytes)]), "a.png");
  const answer = await request(address, "/file_asset", {
    method: "POST",
    body,
  });
  return ((await answer.json()) as { uri: string }).uri;
}

async function send(
  address: string,
  method: string,
  path: string,
  value?: unknown,
): Promise<void> {
  const body = value === undefined ? null : JSON.stringify(value);
  const answer = await request(address, path, {
    ...{ method, body, headers: jsonHeaders },
  });
  await answer.arrayBuffer();
}

/** Rejected by the player itself: a kill never looks like this. */
export class RejectedRequest extends Error {}

export async function request(
  address: string,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  const answer = await fetch(`${address}/api/v2${path}`, init);
  if (answer.ok) return answer;
  throw new RejectedRequest(`${path}: ${answer.status} ${await answer.text()}`);
}

/** The state as a client sees it now, with the complete content of every asset. */
export async function readState(address: string): Promise<State> {
  const read = async <T>(path: string): Promise<T> =>
    (await request(address, path)).json() as Promise<T>;
  const settings = await read<{ player_name: string }>("/device_settings");
  const all = await read<readonly AssetV2[]>("/assets");
  const assets = await Promise.all(
    all.map(async ({ asset_id: id, name, duration }) => {
      const { content } = await read<{ content: string }>(
        `/assets/${id}/content`,
      );
      const hash = sha256(Buffer.from(content, "base64"));
      return { id, name: name ?? "", duration: duration ?? 0, hash };
    }),
  );
  const [list] = await playlists(address);
  const playlistOrder = (list?.items ?? []).map(({ asset_id: id }) => id);
  return { playerName: settings.player_name, assets, playlistOrder };
}

async function playlists(address: string): Promise<readonly PlaylistV2[]> {
  return (await request(address, "/playlists")).json() as Promise<PlaylistV2[]>;
}

function pathOf({ playlist_id: id }: PlaylistV2): string {
  return `/playlists/${id}`;
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
