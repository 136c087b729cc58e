// Transport in a browser at a content service: answers operations about assets from the service itself. What only a player has is
// not answered (V3-179).

import { Failure } from "../../../../server/core/failure.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../../../server/contract/v2/operations/operation-client.ts";
import type { PlayerEventV2 } from "../../../../server/contract/v2/v2-monitoring.ts";
import {
  isRow,
  type Row,
} from "../../../../server/contract/service-rows/read-rows.ts";
import { t } from "../../../locales/messages.ts";
import { openPage } from "../../place/navigation.ts";
import type { Transport } from "../../transport/player-transport.ts";
import { Unreachable } from "../../transport/unreachable.ts";
import { serviceAccess } from "../requests/service-requests.ts";
import { isListKnown, isListLong, readList } from "./asset-list.ts";
import { addAddress, changeAsset, deleteAsset, readAsset } from "./assets.ts";
import {
  cancelUpload,
  claimUpload,
  sendFile,
  uploadedAsset,
} from "./uploaded-files.ts";

interface Given {
  readonly id: string;
  readonly body: Row;
  readonly signal: AbortSignal | undefined;
}

const answers: Readonly<
  Record<string, (given: Given) => Promise<OperateOutcome>>
> = {
  listAssets: async () => {
    const list = await readList();
    return "assets" in list ? { isDone: true, answer: list.assets } : list;
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
};

const writes: ReadonlySet<string> = new Set([
  ...["addAsset", "changeAsset", "deleteAsset", "cancelUpload"],
]);

const listeners = new Set<(event: PlayerEventV2) => void>();

/** Also after a rejection: what was rejected may be about an asset that has changed. */
function noteChanged(): void {
  for (const listener of listeners)
    listener({ name: "changed", value: { resource: "assets" } });
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
      if (writes.has(operation)) noteChanged();
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
  onPlayerEvent: watchAssets,
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

/** While the library is visible. */
function watchAssets(listener: (event: PlayerEventV2) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  listeners.add(listener);
  const poll = async (): Promise<void> => {
    if (document.hidden || openPage() !== "library" || !isListKnown()) return;
    const list = await readList();
    if (!isOver && "assets" in list && list.isChanged) noteChanged();
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
      isListLong() ? longPollMs : pollMs,
    );
  };
  next();
  return () => {
    isOver = true;
    listeners.delete(listener);
    clearTimeout(timer);
  };
}
