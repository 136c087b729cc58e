// The stage in a frame of the desk: told what to show by the page around it, never by the player, and heard by it alone.

import type {
  ShowingReport,
  StageOrders,
} from "../../server/contract/ipc/ipc.ts";
import { add } from "../playback/medium.ts";
import { pictureOfPdf } from "../playback/pdf-picture.ts";
import "../playback/playback.css";
import { createStage } from "../playback/stage.ts";

/** A small picture of the first page of a PDF is wanted. */
interface PictureOrder {
  readonly order: "picture";
  readonly value: { readonly fileUrl: string; readonly longestSide: number };
}

/** What the desk tells the frame. */
export type PreviewOrder =
  | PictureOrder
  | {
      readonly [Order in keyof StageOrders]: {
        readonly order: Order;
        readonly value: StageOrders[Order];
      };
    }[keyof StageOrders];

/** What the frame tells the desk. */
export type PreviewReport =
  | { readonly report: "started" }
  | { readonly report: "showing"; readonly value: ShowingReport }
  | {
      readonly report: "picture";
      readonly fileUrl: string;
      /** Null: there is none to be had. */
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
  if (requested.order === "picture") void draw(requested.value);
  else if (requested.order === "setOrientation")
    root.dataset.orientation = String(requested.value.orientation);
  else if (requested.order === "prepare") void stage.prepare(requested.value);
  else void stage.show(requested.value.showingId);
}

async function draw({ fileUrl, longestSide }: PictureOrder["value"]) {
  const dataUrl = await pictureOfPdf(fileUrl, longestSide).catch(() => null);
  postReport({ report: "picture", fileUrl, dataUrl });
}

function postReport(report: PreviewReport): void {
  window.parent.postMessage(report, managerOrigin);
}
