// Permissions, navigation, new windows, downloads, devices and the player's own interface: denied unless listed here.

import { app, type Session, type WebContents } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { checkRequests } from "./page-requests.ts";
import { countMessage } from "./page-watch.ts";

/** What our own pages may do beyond displaying themselves: write an address to the clipboard, choose an audio output. */
const granted = [
  { origin: "app://manager", permission: "clipboard-sanitized-write" },
  { origin: "app://playback", permission: "speaker-selection" },
];

/** Needed to read the outputs' names; microphone and camera are requested separately, and denied. */
const checkedPermissions = [{ origin: "app://playback", permission: "media" }];

/** Where the frames of a web asset may navigate beyond where the asset itself may: to what it creates itself. */
const frameSchemes = ["about:", "data:", "blob:"];

/** The only frame in a page of ours: the stage as a preview. */
const previewPage = "app://playback/preview-page.html";

export interface Exceptions {
  /** Schemes to which pages of this session may navigate by themselves; null keeps them where they are. */
  readonly schemesOf: (session: Session) => readonly string[] | null;
  /** Whether these contents may embed another page. */
  readonly mayHoldGuest: (contents: WebContents) => boolean;
  /** No page needs it, not even our own: they have their bridge. */
  readonly localApiPorts: () => readonly number[];
  readonly log: Log;
}

/** Must be called before Chromium is ready, so that it applies to every session and every page. */
export function lockDown(exceptions: Exceptions): void {
  const { schemesOf, mayHoldGuest, localApiPorts, log } = exceptions;
  const isForPages = (session: Session): boolean => schemesOf(session) !== null;
  app.on("session-created", (session) => {
    refuseDevicesAndPermissions(session);
    checkRequests(session, { isForPages, localApiPorts, log });
  });
  app.on("web-contents-created", (_event, contents) => {
    const schemes = schemesOf(contents.session);
    refuseNavigation(
      contents,
      schemes ?? [],
      schemes ? [...schemes, ...frameSchemes] : [],
    );
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    contents.on("will-attach-webview", (event) => {
      if (!mayHoldGuest(contents)) event.preventDefault();
    });
    contents.on("select-bluetooth-device", (event, _devices, choose) => {
      event.preventDefault();
      choose("");
    });
    // A page that asks "really leave?" is left all the same.
    contents.on("will-prevent-unload", (event) => event.preventDefault());
  });
  app.on(
    "select-client-certificate",
    (event, _contents, _url, _list, choose) => {
      event.preventDefault();
      choose();
    },
  );
}

function refuseDevicesAndPermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    countMessage(contents);
    answer(isListed(granted, contents?.getURL(), permission));
  });
  session.setPermissionCheckHandler((contents, permission, origin) => {
    countMessage(contents);
    return isListed([...granted, ...checkedPermissions], origin, permission);
  });
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.on("will-download", (event) => event.preventDefault());
  session.on("select-hid-device", (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on("select-usb-device", (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
  session.on("select-serial-port", (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose("");
  });
}

function isListed(
  grants: typeof granted,
  address: string | undefined,
  permission: string,
): boolean {
  return grants.some(
    (grant) =>
      grant.permission === permission &&
      (address === grant.origin || address?.startsWith(`${grant.origin}/`)),
  );
}

/** Our own pages do not navigate; what the app loads itself does not pass here. */
function refuseNavigation(
  contents: WebContents,
  top: readonly string[],
  frames: readonly string[],
): void {
  const mayGo = (address: string, schemes: readonly string[]) =>
    URL.canParse(address) && schemes.includes(new URL(address).protocol);
  contents.on("will-frame-navigate", (event) => {
    if (!event.isMainFrame && event.url === previewPage) return;
    // A reload is not a navigation.
    if (event.isMainFrame && event.url === contents.getURL()) return;
    if (!mayGo(event.url, event.isMainFrame ? top : frames))
      event.preventDefault();
  });
  contents.on("will-redirect", (event) => {
    if (!mayGo(event.url, event.isMainFrame ? top : frames))
      event.preventDefault();
  });
}
