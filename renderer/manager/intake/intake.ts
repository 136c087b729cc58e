// Files and addresses on their way in: where they go, and what is said when they are there.

import type { AssetView } from "../../../server/contract/ipc.ts";
import { operate } from "../operations.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";
import { sayUndoable } from "../undo.ts";
import { runJobs } from "./jobs.ts";

/** What is dropped while a folder is open belongs into it. */
let folder = "";

export function setIntakeFolder(next: string): void {
  folder = next;
}

/** A playlist that is open: what is dropped belongs into it, and plays nowhere else. */
export interface IntakePlaylist {
  readonly name: string;
  readonly take: (assetIds: readonly string[]) => void;
}

let playlist: IntakePlaylist | null = null;

export function setIntakePlaylist(next: IntakePlaylist | null): void {
  playlist = next;
}

export function intakePlaylist(): IntakePlaylist | null {
  return playlist;
}

/** Answers the new assets, in the order of the files. */
export async function addFiles(
  files: readonly File[],
): Promise<readonly AssetView[]> {
  if (files.length === 0) return [];
  const [into, forPlaylist] = [folder, playlist];
  const added = await runJobs(files, async (path, job) => {
    const asset = await window.manager.addFile({ path, job, folder: into });
    if (forPlaylist) await playOnlyThere(asset);
    return asset;
  });
  if (added.length > 0) forPlaylist?.take(added.map(({ id }) => id));
  sayAdded(added);
  return added;
}

/** A refusal is said, and answered as null. */
export async function addPage(address: string): Promise<AssetView | null> {
  try {
    const asset = await window.manager.addPage({
      address: withScheme(address),
    });
    if (folder !== "")
      await operate("changeAsset", {
        ...{ parameters: { id: asset.id }, body: { folder } },
      });
    if (playlist) {
      await playOnlyThere(asset);
      playlist.take([asset.id]);
    }
    sayAdded([asset]);
    return asset;
  } catch (error) {
    sayFailed(texts.intake.pageRefused, error);
    return null;
  }
}

function playOnlyThere({ id }: AssetView): Promise<unknown> {
  const body = { playlist_only: true };
  return operate("changeAsset", { parameters: { id }, body });
}

/** `example.org` is what people type; the web's own scheme is what they mean. */
function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

function sayAdded(added: readonly AssetView[]): void {
  const [only] = added;
  if (!only) return;
  const ids = added.map(({ id }) => id);
  sayUndoable(
    added.length === 1
      ? texts.intake.added(only.name)
      : texts.intake.addedFiles(added.length),
    () => operate("putInBin", { body: { asset_ids: ids } }),
  );
}
