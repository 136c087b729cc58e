// Uploads a file, or a piece of one, with its progress, which `fetch` does not report.

import { managerHeader } from "../../../server/contract/v2/manager-header.ts";
import type { ResponseText } from "../../../server/contract/v2/operations/operation-client.ts";
import { Unreachable } from "./unreachable.ts";

export interface PostedFile {
  readonly field: string;
  readonly content: Blob;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/** Rejects only when the player cannot be reached, or with the reason of the signal. */
export function postFile(
  path: string,
  posted: PostedFile,
): Promise<ResponseText> {
  const { field, content, name, headers, onBytes, signal } = posted;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [header, value] of [
      [managerHeader.name, managerHeader.value] as const,
      ...Object.entries(headers),
    ])
      request.setRequestHeader(header, value);
    request.upload.onprogress = ({ loaded }) => {
      // The body is a little longer than the file.
      onBytes(Math.min(loaded, content.size));
    };
    const abort = (): void => {
      request.abort();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    request.onloadend = () => {
      signal.removeEventListener("abort", abort);
    };
    request.onload = () => {
      resolve({
        status: request.status,
        contentType: request.getResponseHeader("content-type"),
        text: request.responseText,
      });
    };
    request.onerror = request.ontimeout = () => {
      reject(new Unreachable());
    };
    // A connection that stands still is given up; the piece is sent again.
    request.timeout = maxMs;
    const form = new FormData();
    form.set(field, content, name);
    request.send(form);
  });
}

/** A piece takes a few seconds; this is far below the 500 bytes a second that the player accepts. */
const maxMs = 600_000;
