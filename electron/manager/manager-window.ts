// The manager window: on another display than the playback window where there is one.

import { BrowserWindow, screen, type WebContents } from "electron";
import { questionsArgument } from "../ipc.ts";

export interface ManagerWindow {
  /** Opens it, or brings the open one to the front. */
  open(): void;
  /** Its page's contents while it is open. */
  contents(): WebContents | null;
  /** Which display it is on while it is open. */
  displayId(): number | null;
}

export interface ManagerWindowOptions {
  readonly preload: string;
  readonly playbackDisplayId: () => number;
  /** On a virtual screen nobody could bring the playback window back to the front: the manager opens outside the screen. */
  readonly isOffScreen: boolean;
  /** With which page it opens; the manager's own choice if left out. */
  readonly page: string | undefined;
  /** Zoom factor when it opens. */
  readonly zoom: () => number;
  readonly onZoom: (factor: number) => void;
}

/** The steps of browsers; beyond these a window of minimum size would show nothing complete. */
const zoomSteps = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/** Enough for the navigation with labels, a grid of four and the inspector next to it. */
const size = { width: 1360, height: 860 };

export function createManagerWindow(
  options: ManagerWindowOptions,
): ManagerWindow {
  const { preload, playbackDisplayId, isOffScreen, page } = options;
  let window: BrowserWindow | null = null;
  /** As last set by keys, before it is stored; null before the first time. */
  let zoom: number | null = null;

  function create(): BrowserWindow {
    const managerWindow = new BrowserWindow({
      ...placeOn(otherDisplay(playbackDisplayId()), isOffScreen),
      minWidth: 900,
      minHeight: 600,
      title: "Vitrine",
      // Dark as the manager itself, so that opening it does not flash.
      backgroundColor: "#141414",
      show: false,
      autoHideMenuBar: true,
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        spellcheck: false,
        navigateOnDragDrop: false,
        additionalArguments: [questionsArgument()],
      },
    });
    managerWindow.removeMenu();
    zoomByKeys(managerWindow.webContents, (factor) => {
      zoom = factor;
      options.onZoom(factor);
    });
    // Chromium keeps the factor per origin, and accepts it only for a page that is loaded.
    managerWindow.webContents.on("did-finish-load", () => {
      managerWindow.webContents.setZoomFactor(zoom ?? options.zoom());
    });
    managerWindow.on("closed", () => (window = null));
    managerWindow.once("ready-to-show", () => show(managerWindow));
    // After a crash of the manager the operator opens it again; playback is not affected.
    managerWindow.webContents.on("render-process-gone", () =>
      managerWindow.destroy(),
    );
    void managerWindow
      .loadURL(`app://manager/index.html${page ? `#/${page}` : ""}`)
      .catch(() => managerWindow.destroy());
    return managerWindow;
  }

  function show(shown: BrowserWindow): void {
    if (isOffScreen) return shown.showInactive();
    if (shown.isMinimized()) shown.restore();
    shown.show();
    shown.moveTop();
    shown.focus();
  }

  return {
    open: () => {
      if (window) show(window);
      else window = create();
    },
    contents: () => window?.webContents ?? null,
    displayId: () =>
      window ? screen.getDisplayMatching(window.getBounds()).id : null,
  };
}

/** Ctrl with plus, minus and zero. */
function zoomByKeys(
  contents: WebContents,
  onZoom: (factor: number) => void,
): void {
  contents.on("before-input-event", (event, input) => {
    if (input.type !== "keyDown" || !(input.control || input.meta)) return;
    if (input.alt) return;
    const next = zoomedBy(input.key, contents.getZoomFactor());
    if (next === null) return;
    event.preventDefault();
    contents.setZoomFactor(next);
    onZoom(next);
  });
}

/** Null for any other key. */
function zoomedBy(key: string, factor: number): number | null {
  // The factor is kept as a rounded level.
  const isLarger = (step: number): boolean => step > factor + 0.01;
  const isBefore = (step: number): boolean => step < factor - 0.01;
  switch (key) {
    case "+":
    case "=":
      return zoomSteps.find(isLarger) ?? factor;
    case "-":
    case "_":
      return zoomSteps.findLast(isBefore) ?? factor;
    case "0":
      return 1;
    default:
      return null;
  }
}

function otherDisplay(playbackDisplayId: number): Electron.Display {
  const others = screen
    .getAllDisplays()
    .filter(({ id }) => id !== playbackDisplayId);
  return others[0] ?? screen.getPrimaryDisplay();
}

function placeOn(
  { workArea }: Electron.Display,
  isOffScreen: boolean,
): Electron.Rectangle {
  const width = Math.min(size.width, workArea.width);
  const height = Math.min(size.height, workArea.height);
  return {
    x: isOffScreen
      ? workArea.x + workArea.width
      : workArea.x + Math.round((workArea.width - width) / 2),
    y: workArea.y + Math.round((workArea.height - height) / 2),
    width,
    height,
  };
}
