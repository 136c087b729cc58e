// The sessions pages live in: in memory only, one for each way of asking, and what each page's requests carry.

import { session, type Session } from "electron";
import { refuseModals } from "./modals.ts";
import { onNetworkLost } from "../chromium/network.ts";
import { withCustomHeaders, type Headers } from "./web-request.ts";

/** What cannot differ between two pages of one session. */
export interface SessionOptions {
  /** Past every cache. */
  readonly noCache: boolean;
  /** Chromium keeps one for each host. */
  readonly zoomPercent: number;
  /** A host whose certificate is not looked at; `*` for all of them (V2-175). */
  readonly uncheckedHost: string | null;
  /** An app has a session to itself. */
  readonly appId?: string;
}

export interface PageRequestOptions {
  readonly pageOrigin: string;
  readonly customHeaders: Headers;
  readonly agent: string;
}

/** With where its pages may go by themselves (V2-173). */
const webSessions = new WeakMap<Session, readonly string[]>();
/** By the id of the contents that ask. */
const requestOptionsById = new Map<number, PageRequestOptions>();

/** Null for a session of our own pages. */
export function schemesOf(session: Session): readonly string[] | null {
  return webSessions.get(session) ?? null;
}

/** Its name, for a view that takes no session. */
export function partitionOf(options: SessionOptions): string {
  const { noCache, zoomPercent, uncheckedHost, appId } = options;
  return [
    appId === undefined ? "web" : `app-${appId}`,
    ...(noCache ? ["fresh"] : []),
    ...(zoomPercent === 100 ? [] : [`zoom-${zoomPercent}`]),
    ...(uncheckedHost === null ? [] : [`unchecked-${uncheckedHost}`]),
  ].join(":");
}

/** Nothing a page leaves behind outlives the player's run. */
export function webSession(options: SessionOptions): Session {
  const pageSession = session.fromPartition(partitionOf(options), {
    cache: !options.noCache,
  });
  if (!webSessions.has(pageSession)) {
    const schemes = options.appId === undefined ? [] : ["edge-app:"];
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

/** The network process knows nothing of these yet: what it was told went with the one before. */
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

/** Until called off, what these contents ask for is asked for in this manner. */
export function setRequestOptions(
  contentsId: number,
  requestOptions: PageRequestOptions,
): () => void {
  requestOptionsById.set(contentsId, requestOptions);
  return () => requestOptionsById.delete(contentsId);
}

function applyCustomHeaders(pageSession: Session): void {
  /** Requests that carried ours, so that a redirect elsewhere takes them off again. */
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
  pageSession.webRequest.onCompleted(({ id }) => void carrying.delete(id));
  pageSession.webRequest.onErrorOccurred(({ id }) => void carrying.delete(id));
}

/** Of a web socket too: its handshake goes to the same server. */
export function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return new URL(address.replace(/^ws(s?):/i, "http$1:")).origin;
}
