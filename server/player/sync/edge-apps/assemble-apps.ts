// Apps whose files are all here, put together: bytes before rows, and what only their pages may know before both.

import type { AppSecrets } from "./app-secrets.ts";
import type { Look } from "../remote/remote.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import { troubleOf } from "../remote/remote-error.ts";

export interface AssemblingOptions {
  readonly library: Pick<SyncLibrary, "files" | "admitApp">;
  readonly appSecrets: Pick<AppSecrets, "keep">;
}

/** What goes wrong with one, the last of them if there are several, holds up nothing else: it is the answer. */
export async function assembleApps(
  { wanted, secrets }: Look,
  { library, appSecrets }: AssemblingOptions,
): Promise<Error | null> {
  const apps = wanted.assets.filter(({ app }) => app);
  let trouble: Error | null = null;
  if (apps.length === 0) return trouble;
  const here = library.files();
  for (const { app, file } of apps) {
    if (!app || !file || app.files.some(({ md5 }) => !here.has(md5))) continue;
    const own = secrets.get(file.md5) ?? {};
    try {
      if (Object.keys(own).length > 0) await appSecrets.keep(file.md5, own);
      if (!here.has(file.md5)) await library.admitApp(app, file.md5);
    } catch (error) {
      const found = troubleOf(error, "The player's store");
      if (!(found instanceof Error)) throw found;
      trouble = found;
    }
  }
  return trouble;
}
