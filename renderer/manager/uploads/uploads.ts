// Adds files and addresses: where they go, and the notice when they have been added.

import { viewOf, type AssetView } from "../asset-view.ts";
import { addUndo } from "../library/asset-actions.ts";
import type { FieldsOfBody } from "../../../server/contract/ipc/ipc-operate.ts";
import { operate } from "../operations.ts";
import { withScheme } from "../components/address.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { notifyUndoable } from "../undo.ts";
import { runJobs } from "./upload-jobs.ts";
import { addOrConfirm } from "./rejected-page.ts";

/** What is dropped while a folder is open goes into it. */
let folder = "";

export function setUploadFolder(next: string): void {
  folder = next;
}

/** An open playlist: what is dropped goes into it, and plays nowhere else. */
export interface UploadPlaylist {
  readonly name: string;
  readonly take: (assetIds: readonly string[]) => void;
}

let playlist: UploadPlaylist | null = null;

export function setUploadPlaylist(next: UploadPlaylist | null): void {
  playlist = next;
}

export function uploadPlaylist(): UploadPlaylist | null {
  return playlist;
}

/** Returns the new assets, in the order of the files. */
export async function addFiles(
  files: readonly File[],
): Promise<readonly AssetView[]> {
  if (files.length === 0) return [];
  const [into, forPlaylist] = [folder, playlist];
  return runJobs(files, {
    claim: ({ uri, name }) => add({ uri, name }, into, forPlaylist !== null),
    whenIn: (added) => {
      forPlaylist?.take(added.map(({ id }) => id));
      notifyAdded(added);
    },
  });
}

/** Asks for options when it is unreachable; null where it was not added. */
export async function addPage(address: string): Promise<AssetView | null> {
  const [into, forPlaylist] = [folder, playlist];
  try {
    const uri = withScheme(address);
    const asset = await addOrConfirm(uri, ({ headers, skipCheck }) => {
      const custom = headers && { custom_headers: headers };
      const skip = skipCheck && { skip_asset_check: true };
      return add({ uri, ...custom, ...skip }, into, forPlaylist !== null);
    });
    if (!asset) return null;
    forPlaylist?.take([asset.id]);
    notifyAdded([asset]);
    return asset;
  } catch (error) {
    notifyFailure(t("uploads.addPageFailed"), error);
    return null;
  }
}

async function add(
  fields: FieldsOfBody & { readonly uri: string },
  into: string,
  isForPlaylist: boolean,
): Promise<AssetView> {
  const body = { ...fields, folder: into, playlist_only: isForPlaylist };
  return viewOf(await operate("addAsset", { body }));
}

function notifyAdded(added: readonly AssetView[]): void {
  const [only] = added;
  if (!only) return;
  const ids = added.map(({ id }) => id);
  notifyUndoable(
    added.length === 1
      ? t("uploads.added", { name: only.name })
      : t("uploads.addedFiles", { count: added.length }),
    addUndo(ids),
  );
}

// The system's own file dialog, opened from anywhere.

export function chooseFiles(): void {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.addEventListener("change", () => {
    addFiles([...(field.files ?? [])]).catch(notifyInternalError);
  });
  field.click();
}
