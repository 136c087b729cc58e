// The name of the screen over whatever it shows, so that people at the screen and at its service know which one it is (L-41).

import { WebContentsView } from "electron";
import { Failure, type Orientation } from "../../server/contract/ipc/ipc.ts";

export interface ScreenName {
  /** Resolves once the name is visible. It goes after this time, when it is aborted, or when another one follows. */
  show(options: {
    readonly name: string;
    readonly seconds: number;
    readonly orientation: Orientation;
    readonly signal: AbortSignal;
  }): Promise<void>;
}

/** `overlay` lays a view over the showing, or with null removes the one that is there. */
export function createScreenName(
  overlay: (view: WebContentsView | null) => void,
): ScreenName {
  let hide = (): void => undefined;
  return {
    show: async ({ name, seconds, orientation, signal }) => {
      hide();
      // A page of ours without any bridge: it only displays itself.
      const view = new WebContentsView({
        webPreferences: { sandbox: true, contextIsolation: true },
      });
      // What is beneath stays visible, and so keeps being drawn.
      view.setBackgroundColor("#00000000");
      let isShown = true;
      const end = (): void => {
        if (!isShown) return;
        isShown = false;
        clearTimeout(timer);
        overlay(null);
        view.webContents.close();
      };
      const timer = setTimeout(end, seconds * 1000);
      hide = end;
      signal.addEventListener("abort", end, { once: true });
      overlay(view);
      const words = new URLSearchParams({
        ...{ name, orientation: String(orientation) },
      });
      try {
        await view.webContents.loadURL(
          `app://screen-name/index.html?${words.toString()}`,
        );
      } catch {
        const wasShown = isShown;
        end();
        throw new Failure(
          "unavailable",
          wasShown
            ? "The name could not be shown."
            : "Something else was to be shown instead of the name.",
        );
      }
    },
  };
}
