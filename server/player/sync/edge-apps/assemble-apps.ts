// Assembles the apps of a desired state once all their files are here, and stores their secret settings.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import type { AppSecrets } from "../store/secret-store.ts";
import { toRemoteError } from "../remote/remote-error.ts";
import type { SyncLibrary } from "../store/library-store.ts";

interface AssemblingOptions {
  readonly library: Pick<SyncLibrary, "files" | "admitApp">;
  readonly appSecrets: Pick<AppSecrets, "keep">;
}

/** An app that fails does not hold up the others; returns the error, the last one if there are several. */
export async function assembleApps(
  { content, secrets }: DesiredState,
  { library, appSecrets }: AssemblingOptions,
): Promise<Error | null> {
  const apps = content.assets.filter(({ app }) => app);
  let failure: Error | null = null;
  if (apps.length === 0) return failure;
  const storedFiles = library.files();
  for (const { app, file } of apps) {
    if (!app || !file || app.files.some(({ md5 }) => !storedFiles.has(md5)))
      continue;
    const fileSecrets = secrets.get(file.md5) ?? {};
    try {
      if (Object.keys(fileSecrets).length > 0)
        await appSecrets.keep(file.md5, fileSecrets);
      if (!storedFiles.has(file.md5)) await library.admitApp(app, file.md5);
    } catch (error) {
      const remoteError = toRemoteError(
        error,
        connectionSentences["the-store"],
      );
      if (!(remoteError instanceof Error)) throw remoteError;
      failure = remoteError;
    }
  }
  return failure;
}
