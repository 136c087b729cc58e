// The language that the operator chooses for this manager.

import { storeLanguage } from "../../locales/requested-language.ts";
import { changesAnswered } from "../api/operations.ts";

/** Reloads the window. Pending changes are waited for: one that is not answered by then could not be undone afterwards. */
export async function changeLanguage(chosen: string | null): Promise<void> {
  storeLanguage(chosen);
  await changesAnswered();
  window.location.reload();
}
