// Transport in a browser: the player's HTTP interface at the address that the page came from. Requests are built from the contract's
// operations; the session cookie signs them (V2-773), and a header shows that the manager sent them (V2-775).

import {
  outcomeOf,
  requestOf,
  type Operate,
  type OperateOutcome,
} from "../../../server/contract/v2/operations/operation-client.ts";
import { managerHeader } from "../../../server/contract/v2/manager-header.ts";
import type { SessionV2 } from "../../../server/contract/v2/v2-administration.ts";
import type { PlayerEventV2 } from "../../../server/contract/v2/v2-monitoring.ts";
import { noteSignedOut } from "./signed-out.ts";
import { t } from "../../locales/messages.ts";
import { isFile, plainNameOf } from "./chosen-file.ts";
import { openEventStream } from "./event-stream.ts";
import { postFile } from "./post-file.ts";
import { sendInPieces } from "./resumable-upload.ts";
import type { Transport } from "./player-transport.ts";
import { Unreachable } from "./unreachable.ts";

/** Long enough for the slowest operation that responds when it is done, a backup. */
const maxMs = 600_000;
/** A browser allows 64 KiB for all requests that outlive a page; a character has up to three bytes. */
const maxKeepaliveLength = 10_000;

/** They share one stream. */
const listeners = new Set<(playerEvent: PlayerEventV2) => void>();
let endStream: (() => void) | null = null;

export const browserTransport: Transport = {
  answers: () => true,
  operate,
  // A phone's connection is filled by these; the player takes eight from all clients.
  filesAtOnce: 3,
  sendFile: async (file, sending) => {
    if (!(await isFile(file))) return null;
    if (file.size === 0) throw new Error(t("uploads.empty"));
    const uri = await sendInPieces(file, sending, {
      operate: (call) => operate(call, sending.signal),
      post: (content, range, onBytes) =>
        postPiece(content, { ...sending, onBytes, range, name: file.name }),
      monotonicMs: () => performance.now(),
    });
    return { uri, name: plainNameOf(file) };
  },
  takeScreenshot: async () => {
    const response = await request({ operation: "readScreenshot" });
    if (!response.ok) answerOf(await outcomeFrom(response));
    const dataUrl = await dataUrlOf(await received(response.blob()));
    return { dataUrl, takenAtMs: Date.now() };
  },
  onPlayerEvent: (listener) => {
    listeners.add(listener);
    endStream ??= openEventStream(
      pathOf({ operation: "streamEvents" }),
      (playerEvent) => {
        for (const one of listeners) one(playerEvent);
      },
      () => {
        // The player may be away; the stream is opened again all the same.
        findWhetherSignedOut().catch(() => undefined);
      },
    );
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      endStream?.();
      endStream = null;
    };
  },
  fileAddressOf: ({ stored: { file } }) =>
    pathOf({ operation: "readFile", parameters: { sha256: file.sha256 } }),
  readThumbnail: null,
};

interface Piece {
  readonly uploadId: string;
  /** As in the Content-Range header. */
  readonly range: string;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onBytes: (sentBytes: number) => void;
}

async function postPiece(
  content: Blob,
  { uploadId, range, ...piece }: Piece,
): Promise<OperateOutcome> {
  const answer = await postFile(pathOf({ operation: "uploadFile" }), {
    ...{ ...piece, field: "file_upload", content },
    headers: { "Content-Range": range, "X-Upload-Id": uploadId },
  });
  const outcome = outcomeOf(answer);
  if (isSignedOut(outcome, { operation: "uploadFile" })) noteSignedOut();
  return outcome;
}

async function findWhetherSignedOut(): Promise<void> {
  const outcome = await operate({ operation: "readSession" });
  if (!outcome.isDone) return;
  const { is_required, is_signed_in } = outcome.answer as SessionV2;
  if (is_required && !is_signed_in) noteSignedOut();
}

function pathOf(call: Operate): string {
  return requestOf(call).path;
}

async function operate(
  call: Operate,
  signal?: AbortSignal,
): Promise<OperateOutcome> {
  const outcome = await outcomeFrom(await request(call, signal), signal);
  if (isSignedOut(outcome, call)) noteSignedOut();
  return outcome;
}

/** A wrong token at the sign-in is the page's own matter. */
function isSignedOut(outcome: OperateOutcome, { operation }: Operate): boolean {
  return (
    !outcome.isDone && outcome.code === "unauthorized" && operation !== "signIn"
  );
}

function request(call: Operate, signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = requestOf(call);
  const timeout = AbortSignal.timeout(maxMs);
  return received(
    fetch(path, {
      ...{ method, body, cache: "no-store", redirect: "error" },
      headers: {
        [managerHeader.name]: managerHeader.value,
        ...(body === null ? {} : { "Content-Type": "application/json" }),
      },
      // The last change is sent even while the page is being closed.
      keepalive: method !== "GET" && (body?.length ?? 0) < maxKeepaliveLength,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    }),
    signal,
  );
}

/** Rejects with a sentence when the connection breaks, before or during the response, or with the reason of the signal. */
async function received<T>(
  pending: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await pending;
  } catch {
    signal?.throwIfAborted();
    throw new Unreachable();
  }
}

async function outcomeFrom(
  response: Response,
  signal?: AbortSignal,
): Promise<OperateOutcome> {
  return outcomeOf({
    status: response.status,
    contentType: response.headers.get("content-type"),
    text: await received(response.text(), signal),
  });
}

/** Throws the reason of a rejected request. */
function answerOf(outcome: OperateOutcome): unknown {
  if (outcome.isDone) return outcome.answer;
  if (outcome.code === "unauthorized") noteSignedOut();
  throw new Error(outcome.message);
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.onerror = () => {
      reject(new Unreachable());
    };
    reader.readAsDataURL(blob);
  });
}
