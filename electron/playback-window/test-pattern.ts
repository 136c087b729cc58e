// The test pattern over the playback window: edges, a grid, colours and, where requested, audio; closes by itself.

import { WebContentsView } from "electron";
import type { Orientation } from "../../server/contract/ipc/ipc.ts";

export interface TestPattern {
  show(options: {
    readonly seconds: number;
    readonly withAudio: boolean;
    readonly orientation: Orientation;
  }): void;
  hide(): void;
}

/** `cover` lays a view over the playback window, or with null removes the one that is there. */
export function createTestPattern(
  cover: (view: WebContentsView | null) => void,
): TestPattern {
  let shown: WebContentsView | null = null;
  let ending: NodeJS.Timeout | undefined;

  function hide(): void {
    clearTimeout(ending);
    if (!shown) return;
    cover(null);
    shown.webContents.close();
    shown = null;
  }

  return {
    hide,
    show: ({ seconds, withAudio, orientation }) => {
      hide();
      // A page of ours without any bridge: it only displays itself.
      const view = new WebContentsView({
        webPreferences: {
          ...{ sandbox: true, contextIsolation: true },
          autoplayPolicy: "no-user-gesture-required",
        },
      });
      view.setBackgroundColor("#000000");
      shown = view;
      cover(view);
      const words = new URLSearchParams({
        orientation: String(orientation),
        audio: withAudio ? "1" : "0",
      });
      void view.webContents
        .loadURL(`app://test-pattern/index.html?${words.toString()}`)
        .catch(hide);
      ending = setTimeout(hide, seconds * 1000);
    },
  };
}
