// app: protocol: serves the bundled pages, and no other files.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Session } from "electron";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".pfb": "application/x-font-type1",
  ".wasm": "application/wasm",
  ".bcmap": "application/octet-stream",
  ".icc": "application/vnd.iccprofile",
};

/** Workers read image decoders and fonts from their own origin, and connect to nothing else. */
const workerPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; font-src 'self'";

/** The existing pages, each a host of its own. */
const pages = ["manager", "playback", "test-pattern", "screen-name", "pin-pad"];

/** One name between two slashes: not only dots, and no separators of any system. */
const plainName = /^[\w-][\w.-]*$/;

/** `app://manager/index.html` is `<pagesDir>/manager/index.html`. */
export function servePages(session: Session, pagesDir: string): void {
  session.protocol.handle("app", async (request) => {
    const file = pageFile(request.url);
    if (file === null) return new Response(null, { status: 404 });
    try {
      const bytes = await readFile(join(pagesDir, ...file.names));
      return new Response(new Uint8Array(bytes), {
        headers: {
          "content-type": file.type,
          "x-content-type-options": "nosniff",
          // A page states its own policy; a worker takes the policy served with its script.
          ...(file.type.startsWith("text/javascript") && {
            "content-security-policy": workerPolicy,
          }),
        },
      });
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}

function pageFile(
  address: string,
): { readonly names: readonly string[]; readonly type: string } | null {
  const { hostname, pathname } = new URL(address);
  if (!pages.includes(hostname)) return null;
  const names = pathname.slice(1).split("/");
  const type = types[extname(pathname)];
  return type !== undefined && names.every((name) => plainName.test(name))
    ? { names: [hostname, ...names], type }
    : null;
}
