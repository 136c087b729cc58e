// Asks before a browser closes or leaves the page while files are uploaded or a change is not saved; the player's window only hides.

import { hasDrafts } from "../components/drafts/use-draft.ts";
import { hasOpenJobs } from "../uploads/upload-jobs.ts";
import { isBrowser } from "../place/abilities.ts";

export function guardLeaving(): void {
  if (!isBrowser) return;
  addEventListener("beforeunload", (leaving) => {
    if (hasOpenJobs() || hasDrafts()) leaving.preventDefault();
  });
}
