// The stage in an iframe of the manager: controlled by the page that embeds it, never by the player, and reporting to it alone.

import type {
  ShowingReport,
  StageOrders,
} from "../../server/contract/ipc/ipc.ts";
import { add } from "../playback/medium.ts";
import { thumbnailOfPdf } from "../playback/pdf-thumbnail.ts";
import "../playback/playback.css";
import { createStage } from "../playback/stage.ts";

/** Requests a thumbnail of the first page of a PDF. */
interface ThumbnailOrder {
  readonly order: "thumbnail";
  readonly value: { readonly fileUrl: string; readonly longestSide: number };
}

/** Messages from the manager to the iframe. */
export type PreviewOrder =
  | ThumbnailOrder
  | {
      readonly [Order in keyof StageOrders]: {
        readonly order: Order;
        readonly value: StageOrders[Order];
      };
    }[keyof StageOrders];

/** Messages from the iframe to the manager. */
export type PreviewReport =
  | { readonly report: "started" }
  | { readonly report: "showing"; readonly value: ShowingReport }
  | {
      readonly report: "thumbnail";
      readonly fileUrl: string;
      /** Null: no thumbnail available. */
      readonly dataUrl: string | null;
    };

const managerOrigin = "app://manager";

const root = add(document.body, "main", "stage");
const stage = createStage(root, (value) =>
  postReport({ report: "showing", value }),
);
window.addEventListener("message", (event: MessageEvent<PreviewOrder>) => {
  if (event.source === window.parent && event.origin === managerOrigin)
    obey(event.data);
});
postReport({ report: "started" });

function obey(requested: PreviewOrder): void {
  if (requested.order === "thumbnail") draw(requested.value);
  else if (requested.order === "setOrientation")
    root.dataset.orientation = String(requested.value.orientation);
  else if (requested.order === "prepare") stage.prepare(requested.value);
  else stage.show(requested.value.showingId);
}

function draw({ fileUrl, longestSide }: ThumbnailOrder["value"]): void {
  const postThumbnail = (dataUrl: string | null): void =>
    postReport({ report: "thumbnail", fileUrl, dataUrl });
  thumbnailOfPdf(fileUrl, longestSide).then(postThumbnail, () =>
    postThumbnail(null),
  );
}

function postReport(report: PreviewReport): void {
  window.parent.postMessage(report, managerOrigin);
}
