// Playlists of a manager's player, created and read over the interface, not in the manager.

import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { png, type Colour } from "../media/media.ts";
import type { AppCalls } from "../app/start-app.ts";

type Ids = Readonly<Record<string, string>>;

export interface PlaylistsThroughApi {
  /** An image each, playing in playlists only. */
  addImages(
    colours: Readonly<Record<string, Colour>>,
  ): Promise<Record<string, string>>;
  makePlaylist(body: Readonly<Record<string, unknown>>): Promise<PlaylistV2>;
  playlistsOf(): Promise<readonly PlaylistV2[]>;
  predicateOf(name: string): Promise<string>;
  /** What the items of a playlist show, in order. */
  orderOf(name: string, ids: Ids): Promise<string>;
  /** With a zone of its own, so that days and hours are those of the test. */
  setZone(timezone: string): Promise<void>;
}

export function playlistsThroughApi(
  player: () => AppCalls,
): PlaylistsThroughApi {
  const send = (method: string, at: string, body: object): Promise<Response> =>
    fetch(`${player().api}/api/v2${at}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { "Content-Type": "application/json" },
    });
  const playlistsOf = async (): Promise<readonly PlaylistV2[]> => {
    const answer = await fetch(`${player().api}/api/v2/playlists`);
    return (await answer.json()) as PlaylistV2[];
  };
  const named = async (name: string): Promise<PlaylistV2 | undefined> =>
    (await playlistsOf()).find((one) => one.name === name);
  return {
    playlistsOf,
    addImages: async (colours) => {
      const ids: Record<string, string> = {};
      for (const [name, colour] of Object.entries(colours)) {
        const kind = { mimetype: "image", playlist_only: true };
        const fields = { name, ...kind, duration: 600 };
        const { asset_id: id } = await player().addFile(png(colour), fields);
        ids[name] = id;
      }
      return ids;
    },
    makePlaylist: async (body) => {
      const answer = await send("POST", "/playlists", body);
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as PlaylistV2;
    },
    predicateOf: async (name) => (await named(name))?.predicate ?? "",
    orderOf: async (name, ids) => {
      const names = new Map(Object.entries(ids).map(([key, id]) => [id, key]));
      const items = (await named(name))?.items ?? [];
      return items.map(({ asset_id: id }) => names.get(id)).join(" ");
    },
    setZone: async (timezone) => {
      await send("PATCH", "/device_settings", { timezone });
    },
  };
}
