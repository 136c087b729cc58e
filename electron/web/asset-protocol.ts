// asset: protocol: serves stored files, with byte ranges.

import { open, type FileHandle } from "node:fs/promises";
import { pipeline, Readable, Transform } from "node:stream";
import type { Session } from "electron";
import { hasChanged } from "../../server/platform/files/file-change.ts";
import { isOutOfDescriptors } from "../../server/platform/process/descriptors.ts";

export interface StoredFile {
  readonly path: string;
  readonly type: string;
  /** A file of another size is damaged and is not shown. */
  readonly sizeBytes?: number | null;
  /** When its content was verified last; a file that has changed since is verified again, and shown meanwhile (V2-761). */
  readonly verifiedAtMs?: number | null;
}

const hashPath = /^\/([0-9a-f]{64})$/;

/** Origins of this session that may read the bytes they show: for the stage's PDFs and the manager's thumbnails. */
const readers = ["app://playback", "app://manager"];

/**
 * `asset://store/<hash>` is a file, `asset://thumbnail/<hash>` its thumbnail, if one has been made. `fileFor` returns where those
 * bytes are stored, so no part of an address becomes a path.
 */
export function serveAssets(
  session: Session,
  fileFor: (hash: string) => Promise<StoredFile | null>,
  thumbnailFor: (hash: string) => StoredFile,
  /** It is damaged, or has changed since it was verified. */
  onSuspect: (hash: string) => void,
  /** Called when no file at all could be opened. */
  onNoDescriptor: () => void,
): void {
  session.protocol.handle("asset", async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return new Response(null, { status: 405 });
    const { hostname, pathname } = new URL(request.url);
    const hash = hashPath.exec(pathname)?.[1];
    const file = await fileAt(hostname, hash);
    if (!file) return new Response(null, { status: 404 });
    const origin = request.headers.get("origin") ?? "";
    // Bytes on a disk may change, whatever their name promises: they are read again for each showing.
    const headers = {
      "content-type": file.type,
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": readers.includes(origin)
        ? origin
        : "app://playback",
      vary: "origin",
      "cache-control":
        hostname === "thumbnail"
          ? "public, max-age=31536000, immutable"
          : "no-store",
    };
    return sendFile(request, file, headers, {
      onSuspect: () => {
        // A thumbnail that has not been made yet says nothing about its file.
        if (hash !== undefined && hostname === "store") onSuspect(hash);
      },
      onNoDescriptor,
    });
  });

  async function fileAt(
    host: string,
    hash: string | undefined,
  ): Promise<StoredFile | null> {
    if (hash === undefined) return null;
    if (host === "thumbnail") return thumbnailFor(hash);
    return host === "store" ? fileFor(hash) : null;
  }
}

interface FileHandlers {
  readonly onSuspect?: () => void;
  readonly onNoDescriptor?: () => void;
}

/** Shorter than the deadline of what waits for the image (V2-653). */
const maxOpenMs = 5000;
const openAgainMs = 100;

/** Null where it is missing or cannot be read; "no-descriptor" where nothing can be opened now. */
async function openPatiently(
  path: string,
  onNoDescriptor: () => void,
): Promise<FileHandle | "no-descriptor" | null> {
  const from = performance.now();
  for (;;) {
    try {
      return await open(path);
    } catch (error) {
      if (!isOutOfDescriptors(error)) return null;
    }
    onNoDescriptor();
    if (performance.now() - from > maxOpenMs) return "no-descriptor";
    await new Promise((resolve) => setTimeout(resolve, openAgainMs));
  }
}

/** Sends the file with these headers, whole or the requested range; never fewer bytes than its size promises. */
export async function sendFile(
  request: Request,
  file: StoredFile,
  given: Readonly<Record<string, string>>,
  {
    onSuspect = () => undefined,
    onNoDescriptor = () => undefined,
  }: FileHandlers = {},
): Promise<Response> {
  // Opened once: what is measured is what is read, whatever happens to the name meanwhile.
  const opened = await openPatiently(file.path, onNoDescriptor);
  // Not a fault of the file, which has not been read.
  if (opened === "no-descriptor") return new Response(null, { status: 503 });
  if (!opened) {
    // Missing or unreadable: verification finds out which.
    onSuspect();
    return new Response(null, { status: 404 });
  }
  let isRead = false;
  try {
    const about = await opened.stat();
    const size = about.size;
    if (!about.isFile()) return new Response(null, { status: 404 });
    if (file.sizeBytes != null && size !== file.sizeBytes) {
      onSuspect();
      return new Response(null, { status: 404 });
    }
    if (hasChanged(about, file.verifiedAtMs ?? null)) onSuspect();
    const range = rangeOf(request.headers.get("range"), size);
    if (range === "beyond")
      return new Response(null, {
        status: 416,
        headers: { "content-range": `bytes */${size}` },
      });
    const { first, last } = range ?? { first: 0, last: size - 1 };
    const headers: Record<string, string> = {
      ...given,
      "content-length": String(last - first + 1),
      "accept-ranges": "bytes",
    };
    if (range) headers["content-range"] = `bytes ${first}-${last}/${size}`;
    const status = range ? 206 : 200;
    if (request.method === "HEAD" || size === 0)
      return new Response(null, { status, headers });
    isRead = true;
    const bytes = opened.createReadStream({ start: first, end: last });
    const whole = endOnlyAfter(last - first + 1, onSuspect);
    pipeline(bytes, whole, () => undefined);
    // Node's and the platform's streams are the same under two type names.
    const body = Readable.toWeb(whole) as ReadableStream;
    return new Response(body, { status, headers });
  } finally {
    if (!isRead) await opened.close();
  }
}

/** Passes bytes on, and fails where the stream ends before this many: half an image must not be shown. */
function endOnlyAfter(bytes: number, onShort: () => void): Transform {
  let rest = bytes;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      rest -= chunk.length;
      done(null, chunk);
    },
    flush: (done) => {
      if (rest === 0) return done();
      onShort();
      done(new Error("The file is shorter than expected."));
    },
  });
}

/** Null: the whole file, also for a range in a form that no client sends. */
function rangeOf(
  header: string | null,
  size: number,
): { readonly first: number; readonly last: number } | "beyond" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "beyond" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return null;
  return first >= size ? "beyond" : { first, last };
}
