// Uploads a file to the content service in one request; the asset is there when it has arrived (V3-13).

import type { SentFile } from "../../../../server/contract/ipc/ipc.ts";
import { reasonIn } from "../../../../server/contract/screens-client/response-reason.ts";
import {
  idIn,
  isRow,
} from "../../../../server/contract/service-rows/read-rows.ts";
import type { OperateOutcome } from "../../../../server/contract/v2/operations/operation-client.ts";
import { t } from "../../../locales/messages.ts";
import { noteSignedOut } from "../../transport/signed-out.ts";
import { isFile, plainNameOf } from "../../transport/chosen-file.ts";
import { postFile } from "../../transport/post-file.ts";
import type { Sending } from "../../transport/player-transport.ts";
import { jsonIn } from "../../service-requests/service-requests.ts";
import { changeAsset, deleteAsset } from "./assets.ts";

const scheme = "uploaded:";

/** Uploads whose assets nobody has named yet, by the identifiers of the uploads. */
const unclaimed = new Map<string, string>();

export async function sendFile(
  file: File,
  { uploadId, signal, onBytes }: Sending,
): Promise<SentFile | null> {
  if (!(await isFile(file))) return null;
  if (file.size === 0) throw new Error(t("uploads.empty"));
  const { status, text } = await postFile("/api/v3/assets/upload/", {
    ...{ field: "file", content: file, name: file.name, headers: {} },
    ...{ signal, unreachable: t("service.noResponse") },
    onBytes: (sentBytes) => {
      onBytes(sentBytes, file.size);
    },
  });
  if (status === 401) noteSignedOut();
  const json = jsonIn(text);
  const id = isRow(json) ? idIn(json) : null;
  if (status >= 300 || id === null) throw new Error(reasonIn({ status, json }));
  unclaimed.set(uploadId, id);
  return { uri: scheme + id, name: plainNameOf(file) };
}

/** Null for the address of a page. */
export function uploadedAsset(uri: unknown): string | null {
  return typeof uri === "string" && uri.startsWith(scheme)
    ? uri.slice(scheme.length)
    : null;
}

/** Names what was uploaded. Rejects with the reason of the signal. */
export async function claimUpload(
  id: string,
  { name, folder }: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<OperateOutcome> {
  const outcome = await changeAsset(id, {
    ...(name !== undefined && { name }),
    ...(folder !== "" && folder !== undefined && { folder }),
  });
  // It is deleted in a moment.
  signal?.throwIfAborted();
  if (outcome.isDone)
    for (const [uploadId, asset] of unclaimed)
      if (asset === id) unclaimed.delete(uploadId);
  return outcome;
}

/** Nothing is left of it; what was added stays. */
export async function cancelUpload(uploadId: string): Promise<OperateOutcome> {
  const id = unclaimed.get(uploadId);
  if (id === undefined) return { isDone: true, answer: null };
  const outcome = await deleteAsset(id);
  if (outcome.isDone) unclaimed.delete(uploadId);
  return outcome;
}
