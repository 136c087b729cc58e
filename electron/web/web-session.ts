// Sessions of web pages: in memory only, one per combination of options, and the request headers of each page.

import { session, type Session } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { refuseModals } from "./block-dialogs.ts";
import { onNetworkLost } from "../chromium/network-watchdog.ts";
import { withCustomHeaders, type Headers } from "./request-headers.ts";

/** Options that cannot differ between two pages of one session. */
export interface SessionOptions {
  /** Bypasses every cache. */
  readonly noCache: boolean;
  /** Chromium keeps one zoom factor per host. */
  readonly zoomPercent: number;
  /** A host whose certificate is not verified; `*` for all of them (V2-175). */
  readonly uncheckedHost: string | null;
  /** An app has a session of its own. */
  readonly appId?: string;
}

export interface PageRequestOptions {
  readonly pageOrigin: string;
  readonly customHeaders: Headers;
  readonly agent: string;
}

/** In use during this run. */
const pageSessions = new Set<Session>();
/** What pages store is in the memory of this process, which takes a quarter of this by itself. */
const maxMemoryBytes = 2 ** 30;
/** Freeing takes a while. */
const clearAgainMs = 10_000;
let clearedMs = -Infinity;

/** Removes everything that pages have stored when this process takes too much memory (V2-731). */
export function limitStorage(log: Log): void {
  const memoryBytes = process.memoryUsage.rss();
  const nowMs = performance.now();
  if (memoryBytes < maxMemoryBytes || nowMs - clearedMs < clearAgainMs) return;
  clearedMs = nowMs;
  log.warn("page.storage-cleared", { memoryBytes });
  for (const pageSession of pageSessions)
    pageSession
      .clearStorageData({ storages: ["indexdb", "cachestorage"] })
      .catch((error: unknown) => log.error("app.internal-error", { error }));
}

/** With the schemes to which its pages may navigate by themselves (V2-173). */
const webSessions = new WeakMap<Session, readonly string[]>();
/** By the id of the requesting contents. */
const requestOptionsById = new Map<number, PageRequestOptions>();

/** Null for a session of our own pages. */
export function schemesOf(session: Session): readonly string[] | null {
  return webSessions.get(session) ?? null;
}

/** Name of the session's partition, for a view that takes no session. */
export function partitionOf(options: SessionOptions): string {
  const { noCache, zoomPercent, uncheckedHost, appId } = options;
  return [
    appId === undefined ? "web" : `app-${appId}`,
    ...(noCache ? ["fresh"] : []),
    ...(zoomPercent === 100 ? [] : [`zoom-${zoomPercent}`]),
    ...(uncheckedHost === null ? [] : [`unchecked-${uncheckedHost}`]),
  ].join(":");
}

/** Nothing a page stores outlives the player's run. */
export function webSession(options: SessionOptions): Session {
  const pageSession = session.fromPartition(partitionOf(options), {
    cache: !options.noCache,
  });
  if (!webSessions.has(pageSession)) {
    const schemes = options.appId === undefined ? [] : ["edge-app:"];
    pageSessions.add(pageSession);
    webSessions.set(pageSession, ["http:", "https:", ...schemes]);
    refuseModals(pageSession);
    applyCustomHeaders(pageSession);
    onNetworkLost(() => unheard.add(pageSession));
    unheard.add(pageSession);
  }
  if (unheard.delete(pageSession))
    leaveUnchecked(pageSession, options.uncheckedHost);
  return pageSession;
}

/** Sessions whose settings the new network process does not have yet: they were lost with the previous process. */
const unheard = new Set<Session>();

function leaveUnchecked(
  pageSession: Session,
  uncheckedHost: string | null,
): void {
  if (uncheckedHost === null) return;
  pageSession.setCertificateVerifyProc(({ hostname }, decide) =>
    decide(
      uncheckedHost === "*" || hostname === uncheckedHost
        ? takeIt
        : useChromiumResult,
    ),
  );
}

const takeIt = 0;
const useChromiumResult = -3;

/** Applies these options to the requests of these contents until the returned function is called. */
export function setRequestOptions(
  contentsId: number,
  requestOptions: PageRequestOptions,
): () => void {
  requestOptionsById.set(contentsId, requestOptions);
  return () => requestOptionsById.delete(contentsId);
}

function applyCustomHeaders(pageSession: Session): void {
  /** Requests that carried custom headers, so that a redirect elsewhere removes them again. */
  const carrying = new Set<number>();
  pageSession.webRequest.onBeforeSendHeaders((details, proceed) => {
    const { id, url, webContentsId, requestHeaders } = details;
    const requestOptions = requestOptionsById.get(webContentsId ?? -1);
    if (!requestOptions) return proceed({});
    const toPageOrigin = originOf(url) === requestOptions.pageOrigin;
    const redirected = carrying.has(id);
    if (toPageOrigin) carrying.add(id);
    proceed({
      requestHeaders: {
        ...withCustomHeaders(
          requestHeaders,
          requestOptions.customHeaders,
          { toPageOrigin, redirected },
          requestOptions.agent,
        ),
      },
    });
  });
  pageSession.webRequest.onCompleted(({ id }) => {
    carrying.delete(id);
  });
  pageSession.webRequest.onErrorOccurred(({ id }) => {
    carrying.delete(id);
  });
}

/** Also of a web socket: its handshake goes to the same server. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return new URL(address.replace(/^ws(s?):/i, "http$1:")).origin;
}
