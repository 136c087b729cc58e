// Signs this browser out, and leaves nothing of the person in the page for the next one.

import { t } from "../../locales/messages.ts";
import { forgetDrafts } from "../components/drafts/use-draft.ts";
import { notifyFailure } from "../components/outcomes/outcome.ts";
import { forgetFreshSecrets } from "../components/secrets/fresh-secrets.ts";
import { forgetActions } from "../undo/undo.ts";
import { forgetUploads } from "../uploads/upload-jobs.ts";
import { noteLeft } from "../transport/signed-out.ts";

/** `signOut` sends the request. A failure is shown, and the person stays. */
export async function leave(signOut: () => Promise<unknown>): Promise<void> {
  // They can't be cancelled afterwards.
  await forgetUploads();
  try {
    await signOut();
  } catch (error) {
    notifyFailure(t("session.signOutFailed"), error);
    return;
  }
  forgetWork();
  noteLeft();
}

/** What was begun or can be undone in this page, besides uploads. */
export function forgetWork(): void {
  forgetActions();
  forgetDrafts();
  forgetFreshSecrets();
}
