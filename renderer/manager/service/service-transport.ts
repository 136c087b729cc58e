// Transport in a browser at a content service: answers operations about assets and playlists from the service itself. What only a
// player has is not answered (V3-179, V3-190).

import { Failure } from "../../../server/core/failure.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../../server/contract/v2/operations/operation-client.ts";
import type { PlayerEventV2 } from "../../../server/contract/v2/v2-monitoring.ts";
import {
  isRow,
  type Row,
} from "../../../server/contract/service-rows/read-rows.ts";
import { t } from "../../locales/messages.ts";
import { openPage } from "../place/navigation.ts";
import type { Transport } from "../transport/player-transport.ts";
import { Unreachable } from "../transport/unreachable.ts";
import { serviceAccess } from "../service-requests/service-requests.ts";
import { assetList } from "./library/asset-list.ts";
import {
  addAddress,
  changeAsset,
  deleteAsset,
  readAsset,
} from "./library/assets.ts";
import {
  cancelUpload,
  claimUpload,
  sendFile,
  uploadedAsset,
} from "./library/uploaded-files.ts";
import { playlistList } from "./playlists/playlist-list.ts";
import {
  appendPlaylistItems,
  changePlaylist,
  createPlaylist,
  deletePlaylist,
  readPlaylist,
} from "./playlists/playlists.ts";
import { withShownIds } from "./playlists/shown-item-ids.ts";
import type { TaggedList } from "../service-requests/tagged-list.ts";

interface Given {
  readonly id: string;
  readonly body: Row;
  readonly signal: AbortSignal | undefined;
}

const answers: Readonly<
  Record<string, (given: Given) => Promise<OperateOutcome>>
> = {
  listAssets: async () => {
    const outcome = await assetList.read();
    return "list" in outcome
      ? { isDone: true, answer: outcome.list.assets }
      : outcome;
  },
  readAsset: ({ id }) => readAsset(id),
  addAsset: ({ body, signal }) => {
    const uploaded = uploadedAsset(body["uri"]);
    return uploaded === null
      ? addAddress(body)
      : claimUpload(uploaded, body, signal);
  },
  changeAsset: ({ id, body }) => changeAsset(id, body),
  deleteAsset: ({ id }) => deleteAsset(id),
  cancelUpload: ({ id }) => cancelUpload(id),
  listPlaylists: async () => {
    const outcome = await playlistList.read();
    return "list" in outcome
      ? { isDone: true, answer: outcome.list.playlists.map(withShownIds) }
      : outcome;
  },
  readPlaylist: ({ id }) => readPlaylist(id),
  createPlaylist: ({ body }) => createPlaylist(body),
  changePlaylist: ({ id, body }) => changePlaylist(id, body),
  appendPlaylistItems: ({ id, body }) => appendPlaylistItems(id, body),
  deletePlaylist: ({ id }) => deletePlaylist(id),
};

type Resource = "assets" | "playlists";

const writes: Readonly<Record<string, Resource>> = {
  ...{ addAsset: "assets", changeAsset: "assets", deleteAsset: "assets" },
  ...{ cancelUpload: "assets", createPlaylist: "playlists" },
  ...{ changePlaylist: "playlists", appendPlaylistItems: "playlists" },
  deletePlaylist: "playlists",
};

const listeners = new Set<(event: PlayerEventV2) => void>();

/** Also after a rejection: what was rejected may be about something that has changed. */
function noteChanged(resource: Resource): void {
  for (const listener of listeners)
    listener({ name: "changed", value: { resource } });
}

/** A change of another person is visible after at most this time. */
const pollMs = 3_000;
/** A long list has no tag, and is sent again every time. */
const longPollMs = 30_000;

/** The largest thumbnail has a few dozen KB (V4-221). */
const maxThumbnailBytes = 2 * 1024 * 1024;

export const serviceTransport: Transport = {
  answers: (operation) => operation in answers,
  operate: async ({ operation, parameters = {}, body }: Operate, signal) => {
    const answer = answers[operation];
    if (!answer)
      return {
        ...{ isDone: false, code: "unknown-name", fields: null },
        message: `A content service has no operation ${operation}.`,
      };
    try {
      const { id = "" } = parameters;
      const outcome = await answer({
        ...{ id, signal, body: isRow(body) ? body : {} },
      });
      const resource = writes[operation];
      if (resource) noteChanged(resource);
      return outcome;
    } catch (error) {
      if (error instanceof Failure && error.code === "unavailable")
        throw new Unreachable(error.message);
      throw error;
    }
  },
  sendFile,
  filesAtOnce: 3,
  takeScreenshot: () =>
    Promise.reject(new Unreachable(t("service.noResponse"))),
  onPlayerEvent: watchLists,
  fileAddressOf: ({ asset_id: id }) => `/files/${encodeURIComponent(id)}`,
  readThumbnail: async (fileAddress) =>
    new Blob([
      new Uint8Array(
        await serviceAccess.download(
          `${fileAddress}/thumbnail`,
          maxThumbnailBytes,
        ),
      ),
    ]),
};

/** While a page about them is visible. */
function watchLists(listener: (event: PlayerEventV2) => void): () => void {
  listeners.add(listener);
  const stops = [poll("assets", assetList), poll("playlists", playlistList)];
  return () => {
    listeners.delete(listener);
    for (const stop of stops) stop();
  };
}

/** These pages show assets, and which playlists have them. */
function isPageShown(): boolean {
  return (
    !document.hidden &&
    ["library", "playlists", "schedule"].includes(openPage())
  );
}

/** The returned function ends it. */
function poll(resource: Resource, list: TaggedList<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const poll = async (): Promise<void> => {
    if (!isPageShown() || list.known() === null) return;
    const outcome = await list.read();
    if (!isOver && "list" in outcome && outcome.isChanged)
      noteChanged(resource);
  };
  const next = (): void => {
    timer = setTimeout(
      () => {
        poll()
          // The service may be away; it is asked again.
          .catch(() => undefined)
          .finally(() => {
            if (!isOver) next();
          });
      },
      list.isLong() ? longPollMs : pollMs,
    );
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
