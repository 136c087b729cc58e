// PIN pad, the way out of an unattended player: a key opens it over the screen, and a PIN opens the manager or ends the app.

import { WebContentsView } from "electron";
import type { PinPadOutcome } from "../../server/contract/ipc/ipc-pin-pad.ts";
import type { Log } from "../../server/platform/log.ts";
import type { ExitPin, PinOutcome } from "./exit-pin.ts";
import { answerPinPad } from "../ipc.ts";
import { createMachineKey } from "./global-shortcut.ts";

export interface PinPadOptions {
  readonly preload: string;
  readonly pin: ExitPin;
  /** Lays a view over everything in the playback window; null removes it. */
  readonly cover: (view: WebContentsView | null) => void;
  /** Null where there is none. */
  readonly openManagerWindow: (() => void) | null;
  readonly endApp: () => void;
  /** The system does not grant the key. */
  readonly onKeyUnavailable: (key: string) => void;
  readonly log: Log;
}

export interface PinPad {
  /** The key that opens the pad; empty for none. */
  listenTo(key: string): void;
  close(): void;
}

/** The person has left: the screen must not stay covered. */
const leaveAfterMs = 60_000;
const quietMs = 300;

export function createPinPad(options: PinPadOptions): PinPad {
  const { preload, pin, cover, log } = options;
  let view: WebContentsView | null = null;
  let isOpen = false;
  let leaving: NodeJS.Timeout | undefined;
  const exitKey = createMachineKey(open);

  answerPinPad(
    {
      state: async () => ({
        needsPin: await pin.isSet().catch(() => true),
        hasManager: options.openManagerWindow !== null,
      }),
      request: async (request): Promise<PinPadOutcome> => {
        stayOpen();
        if (request.to === "back") {
          afterwards(close);
          return { outcome: "done" };
        }
        const outcome = await checked(request.pin);
        if (outcome.outcome !== "right") {
          log.warn("pin.refused", { outcome: outcome.outcome });
          return outcome;
        }
        log.info("pin.accepted", { to: request.to });
        afterwards(() => {
          close();
          if (request.to === "manager") options.openManagerWindow?.();
          // Electron may crash when it ends while a view that closes has the focus; the key is released, too.
          else setTimeout(options.endApp, quietMs);
        });
        return { outcome: "done" };
      },
    },
    (contents) => contents === view?.webContents,
  );

  /** What cannot be verified is wrong: a damaged file unlocks nothing. */
  async function checked(digits: string): Promise<PinOutcome> {
    try {
      return await pin.check(digits);
    } catch (error) {
      log.error("pin.unreadable", { error });
      return { outcome: "wrong", triesLeft: 0 };
    }
  }

  function open(): void {
    stayOpen();
    if (isOpen) return;
    isOpen = true;
    view ??= make();
    const { webContents } = view;
    cover(view);
    webContents.focus();
    // Reloaded each time: nothing typed before remains.
    void webContents
      .loadURL("app://pin-pad/index.html")
      .then(() => webContents.focus())
      .catch(close);
  }

  function make(): WebContentsView {
    const view = new WebContentsView({
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        spellcheck: false,
        disableDialogs: true,
        navigateOnDragDrop: false,
      },
    });
    view.setBackgroundColor("#101318");
    view.webContents.on("render-process-gone", close);
    return view;
  }

  function stayOpen(): void {
    clearTimeout(leaving);
    leaving = setTimeout(close, leaveAfterMs);
  }

  /** The view is kept for the next time: Electron crashes now and then when one that has the focus is destroyed. */
  function close(): void {
    clearTimeout(leaving);
    if (!isOpen) return;
    isOpen = false;
    cover(null);
    if (view && !view.webContents.isDestroyed())
      void view.webContents.loadURL("about:blank").catch(() => undefined);
  }

  return {
    listenTo: (key) => {
      if (exitKey.request(key)) return;
      log.warn("exit-key.not-registered", { key });
      options.onKeyUnavailable(key);
    },
    close,
  };
}

/** The response goes first: it cannot reach a page that has been closed. */
function afterwards(work: () => void): void {
  setTimeout(work, 50);
}
