// Adds files and addresses: where they go, and the notice when they have been added.

import { useEffect } from "react";
import { viewOf, type AssetView } from "../api/asset-view.ts";
import { addUndo } from "../assets/asset-actions.ts";
import type { FieldsOfBody } from "../../../server/contract/ipc/ipc-operate.ts";
import { operate } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import { withScheme } from "../components/address.ts";
import {
  notifyFailure,
  notifyInternalError,
  notifyOnce,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import { noteFinal, notifyUndoable } from "../undo/undo.ts";
import { can } from "../place/abilities.ts";
import { filesOfDialog, maxFilesAtOnce, type Chosen } from "./dropped-files.ts";
import { withoutDuplicates } from "./duplicate-files.ts";
import { adoptStored, runJobs, type Added, type Steps } from "./upload-jobs.ts";
import { uploadedItems } from "./uploaded-items.ts";
import { addOrConfirm } from "./rejected-page.ts";
import { retried } from "./retried.ts";

/** What is dropped while a folder is open goes into it. */
let folder = "";

export function setUploadFolder(next: string): void {
  folder = next;
}

/** An open playlist: what is dropped goes into it, and plays nowhere else. */
export interface UploadPlaylist {
  readonly id: string;
  readonly name: string;
  /** Appends these once, however often it is called. Rejects with the player's reason. */
  readonly take: (
    assetIds: readonly string[],
    signal?: AbortSignal,
  ) => Promise<unknown>;
}

let playlist: UploadPlaylist | null = null;

export function setUploadPlaylist(next: UploadPlaylist | null): void {
  playlist = next;
}

export function uploadPlaylist(): UploadPlaylist | null {
  return playlist;
}

/** Where files go; stored, so that it survives a reload. */
interface Target {
  readonly folder: string;
  readonly playlist: Pick<UploadPlaylist, "id" | "name"> | null;
  readonly duplicateCount: number;
}

/** Of a drop or a dialog, folders included. Returns the new assets, in the order of the files. */
export async function addFiles(
  pending: Chosen | Promise<Chosen>,
): Promise<readonly Added[]> {
  // Read now: another page may be open when the folders have been read.
  const [into, forPlaylist] = [folder, playlist];
  const { files, isCut } = await pending;
  if (isCut)
    notifyOnce("many files", t("uploads.cut", { count: maxFilesAtOnce }));
  if (files.length === 0) return [];
  const { files: unique, duplicateCount } = await withoutDuplicates(files);
  const { id, name } = forPlaylist ?? {};
  const target: Target = {
    ...{ folder: into, duplicateCount },
    playlist: id === undefined || name === undefined ? null : { id, name },
  };
  return runJobs(unique, stepsOf(target, forPlaylist?.take), target);
}

/** After a reload, the playlist is no longer open. */
function stepsOf(
  target: Target,
  take: UploadPlaylist["take"] = (ids, signal) => append(target, ids, signal),
): Steps {
  const { playlist: into } = target;
  const isForPlaylist = into !== null;
  // One that is retried later comes by itself.
  let { duplicateCount } = target;
  return {
    claim: ({ uri, name }, from, signal) =>
      add({ uri, name }, joined(target.folder, from), isForPlaylist, signal),
    place: into
      ? (added, signal) => placeIn(into.name, added, take, signal)
      : undefined,
    whenIn: (added) => {
      notifyAdded(added, duplicateCount);
      duplicateCount = 0;
    },
  };
}

async function append(
  { playlist: into }: Target,
  assetIds: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  if (!into) return;
  const body = { items: uploadedItems(assetIds) };
  const input = { parameters: { id: into.id }, body };
  await operate("appendPlaylistItems", input, signal);
}

/** Tried again until the player has done it, since it is the only playlist in which these assets play. */
async function placeIn(
  name: string,
  added: readonly Added[],
  take: UploadPlaylist["take"],
  signal: AbortSignal,
): Promise<void> {
  let ids = added.map(({ id }) => id);
  try {
    await retried(async () => {
      try {
        await take(ids, signal);
      } catch (error) {
        // One that was deleted meanwhile does not keep the others out.
        const left = isAboutItems(error) ? await existing(ids, signal) : ids;
        if (left.length === ids.length) throw error;
        ids = left;
        if (ids.length > 0) await take(ids, signal);
      }
    }, signal);
  } catch (error) {
    signal.throwIfAborted();
    notifyFailure(
      can("player")
        ? t("playlists.notChanged", { name })
        : t("playlists.service.notChanged", { name }),
      error,
    );
  }
}

function isAboutItems(error: unknown): boolean {
  return error instanceof Refusal && error.fields?.["items"] !== undefined;
}

async function existing(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const assets = await operate("listAssets", {}, signal);
  const known = new Set(assets.map(({ asset_id }) => asset_id));
  return ids.filter((id) => known.has(id));
}

/** As many folders as a name may have; the file goes in the last that fits. */
const maxFolderLength = 500;

function joined(into: string, from: string): string {
  let path = into;
  for (const name of from.split("/")) {
    const next = path === "" ? name : `${path}/${name}`;
    if (next.length > maxFolderLength) break;
    path = next;
  }
  return path;
}

/** How often a tab looks for uploads of tabs that are gone. */
const adoptMs = 30_000;

/** In a browser, uploads continue after a reload of the page. */
export function useStoredUploads(): void {
  useEffect(() => {
    if (!can("resumableUploads")) return;
    const check = (): void => {
      // Without IndexedDB, as in a private window, nothing continues.
      adoptStored((target) => stepsOf(target as Target)).catch(() => undefined);
    };
    check();
    const timer = setInterval(check, adoptMs);
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, []);
}

const never = new AbortController().signal;

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
    notifyAdded([asset]);
    if (forPlaylist)
      await placeIn(forPlaylist.name, [asset], forPlaylist.take, never);
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
  signal?: AbortSignal,
): Promise<AssetView> {
  const body = { ...fields, folder: into, playlist_only: isForPlaylist };
  return viewOf(await operate("addAsset", { body }, signal));
}

function notifyAdded(added: readonly Added[], duplicateCount = 0): void {
  const [only] = added;
  if (!only) return;
  const ids = added.map(({ id }) => id);
  const sentence =
    added.length === 1
      ? t("uploads.added", { name: only.name })
      : t("uploads.addedFiles", { count: added.length });
  const whole =
    duplicateCount === 0
      ? sentence
      : t("uploads.withoutDuplicates", { sentence, count: duplicateCount });
  if (can("player")) {
    notifyUndoable(whole, addUndo(ids));
    return;
  }
  // Without a trash, undoing it would delete the files.
  noteFinal(whole);
  notifySuccess(whole);
}

// The system's own file dialog, opened from anywhere.

export function chooseFiles(): void {
  choose(false);
}

export function chooseFolder(): void {
  choose(true);
}

function choose(isFolder: boolean): void {
  const field = document.createElement("input");
  field.type = "file";
  field.multiple = true;
  field.webkitdirectory = isFolder;
  field.addEventListener("change", () => {
    addFiles(filesOfDialog([...(field.files ?? [])])).catch(
      notifyInternalError,
    );
  });
  field.click();
}

/** Phones have no dialog for folders. */
export const canChooseFolder =
  "HTMLInputElement" in globalThis &&
  "webkitdirectory" in HTMLInputElement.prototype &&
  !matchMedia("(pointer: coarse)").matches;
