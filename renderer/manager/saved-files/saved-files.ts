// Saves files of the player where the operator chooses: with the system's dialog in the player's window, as a download in a browser.

import type { Saved } from "../../../server/contract/ipc/ipc-pc.ts";
import { requestOf } from "../../../server/contract/v2/operations/operation-client.ts";
import { operate } from "../api/operations.ts";
import { transport } from "../transport/transport.ts";
import { isBrowser } from "../place/abilities.ts";
import { download } from "./saved-text.ts";

export async function saveBackup(name: string): Promise<Saved> {
  if (!isBrowser) return window.manager.saveBackup({ name });
  // A download that fails says so nowhere in the page: it is asked before whether the player responds and the session is open.
  await operate("listBackups", {});
  const backup = { operation: "fetchBackup", parameters: { name } };
  download(requestOf(backup).path, name);
  return { path: name };
}

/** In the player's window: among the operator's pictures, without a dialog. */
export async function saveScreenshot(
  name: string,
): Promise<{ readonly path: string }> {
  if (!isBrowser) return window.manager.saveScreenshot({});
  const { dataUrl } = await transport.takeScreenshot();
  download(dataUrl, name);
  return { path: name };
}
