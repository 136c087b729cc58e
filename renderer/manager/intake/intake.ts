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

/** Answers the new assets, in the order of the files. */
export async function addFiles(
  files: readonly File[],
): Promise<readonly AssetView[]> {
  if (files.length === 0) return [];
  const into = folder;
  const added = await runJobs(files, (path, job) =>
    window.manager.addFile({ path, job, folder: into }),
  );
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
    sayAdded([asset]);
    return asset;
  } catch (error) {
    sayFailed(texts.intake.pageRefused, error);
    return null;
  }
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
