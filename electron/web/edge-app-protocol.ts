// edge-app: protocol: serves the files of one app; each app has an origin and a session of its own.

import { posix } from "node:path";
import type { Session } from "electron";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import type {
  AppOnScreen,
  PageContext,
} from "../../server/contract/page-context.ts";
import { proxyFolder, readySign, runtimeScript } from "./app-runtime.ts";
import { sendFile } from "./asset-protocol.ts";
import { noteNoDescriptor } from "../chromium/descriptors.ts";
import { noModals } from "./block-dialogs.ts";
import { webSession, type SessionOptions } from "./web-session.ts";

// CORS proxy: how an app reaches other servers despite CORS, under its own origin. It cannot reach the player itself
// (local-api.ts).

/** A server that has not answered after this long is treated as unreachable. */
const deadlineMs = 30_000;
const maxBodyBytes = 16 * 1024 * 1024;

/** Hop-by-hop headers, and headers that would reveal who sends the request. */
const notSent =
  /^(host|connection|content-length|transfer-encoding|te|upgrade|cookie|origin|referer|proxy-.*|sec-.*)$/i;
/** Headers of the connection, already decoded, or meant for a page of that server. */
const notHandedOn =
  /^(connection|keep-alive|transfer-encoding|content-encoding|content-length|set-cookie2?|clear-site-data|strict-transport-security|x-frame-options|content-security-policy.*|cross-origin-.*|permissions-policy|report-to|nel|alt-svc|service-worker-allowed|refresh|link)$/i;

/** `edge-app://<id>/cors-proxy/https://example.org/` is `https://example.org/`. */
async function proxied(
  session: Session,
  request: Request,
  address: string,
): Promise<Response> {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    return textResponse(400, "Only http and https addresses can be fetched.");
  const { method } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await request.arrayBuffer() : undefined;
  if (body && body.byteLength > maxBodyBytes)
    return textResponse(413, playerSentences["body-too-large"]);
  try {
    const answer = await session.fetch(address, {
      method,
      headers: headersWithout(request.headers, notSent),
      ...(body && { body }),
      credentials: "omit",
      signal: AbortSignal.any([
        request.signal,
        AbortSignal.timeout(deadlineMs),
      ]),
    });
    return new Response(mayHaveBody(answer.status) ? answer.body : null, {
      status: answer.status,
      headers: {
        ...headersWithout(answer.headers, notHandedOn),
        // Data for the app, never a page under its origin.
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
      },
    });
  } catch {
    return textResponse(502, "This address cannot be fetched.");
  }
}

function headersWithout(
  headers: Headers,
  without: RegExp,
): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => !without.test(name)),
  );
}

function mayHaveBody(status: number): boolean {
  return ![101, 204, 205, 304].includes(status);
}

function textResponse(status: number, sentence: string): Response {
  return new Response(sentence, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

export interface ServedApp {
  readonly app: AppOnScreen;
  readonly pageContext: () => PageContext;
}

/** Resolves once the app has signalled readiness; never without its runtime script. */
export const signalCode = `window.${readySign} ?? new Promise(() => undefined)`;

/** Written for the content service and its tools, or containing settings: not served to pages. */
const unserved = /^(screenly|instance)(\.[\w-]+)?\.(ya?ml|json)$/i;

const served = new WeakMap<Session, ServedApp>();

/** Asset id in an app's address, as the library writes it. */
export function appIdOf(address: string): string | null {
  return /^edge-app:\/\/([\w-]{1,64})\/$/.exec(address)?.[1] ?? null;
}

/** Serves the app's address in the session in which it is shown, with the current version of its files. */
export function addApp(
  id: string,
  options: SessionOptions,
  app: ServedApp,
): void {
  const session = webSession({ ...options, appId: id });
  const isKnown = served.has(session);
  served.set(session, app);
  if (isKnown) return;
  const origin = `edge-app://${id.toLowerCase()}`;
  session.protocol.handle("edge-app", (request) => {
    const current = served.get(session);
    return current && request.url.startsWith(`${origin}/`)
      ? answer(request, session, origin, current)
      : new Response(null, { status: 404 });
  });
}

function answer(
  request: Request,
  session: Session,
  origin: string,
  { app, pageContext }: ServedApp,
): Promise<Response> | Response {
  const proxy = `${origin}/${proxyFolder}/`;
  if (request.url.startsWith(proxy))
    return proxied(session, request, request.url.slice(proxy.length));
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405 });
  const path = pathOf(request.url);
  const name = posix.basename(path ?? "");
  if (path === null || unserved.test(name))
    return new Response(null, { status: 404 });
  if (name === "screenly.js") {
    const script = runtimeScript(app, pageContext().screen, origin);
    return new Response(script, {
      headers: headersFor("text/javascript; charset=utf-8"),
    });
  }
  const file = app.files.get(fileAt(path, app));
  return file
    ? sendFile(request, file, headersFor(file.type), {
        onNoDescriptor: noteNoDescriptor,
      })
    : new Response(null, { status: 404 });
}

/** Path without the leading slash; null where it cannot be decoded. */
function pathOf(address: string): string | null {
  try {
    return decodeURIComponent(new URL(address).pathname).slice(1);
  } catch {
    return null;
  }
}

function fileAt(path: string, { entry }: AppOnScreen): string {
  if (path === "" && entry.kind === "file") return entry.path;
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/** Everything that a web page may do, except dialogs; and no other origin may read the app's files. */
function headersFor(type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-security-policy": `default-src 'self' * data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'; ${noModals}`,
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    // The same address may serve a new version of the app tomorrow.
    "cache-control": "no-cache",
  };
}
