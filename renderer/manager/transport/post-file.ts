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
  /** Of the server; without it, the player is named. */
  readonly unreachable?: string;
}

/** Rejects only when the server cannot be reached, or with the reason of the signal. */
export function postFile(
  path: string,
  posted: PostedFile,
): Promise<ResponseText> {
  const { field, content, name, headers, onBytes, signal, unreachable } =
    posted;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [header, value] of [
      [managerHeader.name, managerHeader.value] as const,
      ...Object.entries(headers),
    ])
      request.setRequestHeader(header, value);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fail = (): void => {
      reject(new Unreachable(unreachable));
    };
    // A connection that stands still is given up; what was not sent is sent again.
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fail();
        request.abort();
      }, maxStillMs);
    };
    request.upload.onprogress = ({ loaded }) => {
      restartTimer();
      // The body is a little longer than the file.
      onBytes(Math.min(loaded, content.size));
    };
    // The wait for the response begins.
    request.upload.onload = restartTimer;
    const abort = (): void => {
      request.abort();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    request.onload = () => {
      resolve({
        status: request.status,
        contentType: request.getResponseHeader("content-type"),
        text: request.responseText,
      });
    };
    request.onerror = fail;
    const form = new FormData();
    form.set(field, content, name);
    restartTimer();
    request.send(form);
  });
}

/**
 * Without progress. A slow connection reports it only when the buffers of the system have room again, and a server that has received
 * a large file takes a while to respond.
 */
const maxStillMs = 600_000;
