// Gives another person a new page: nothing that was begun or read in this one is left for them.

import { useLayoutEffect, useState } from "react";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { forgetWork } from "../../session/leave.ts";
import { forgetUploads } from "../../uploads/upload-jobs.ts";

/** `personId` of who is signed in now, or null. While `isOther`, nothing is rendered: the page is loaded again. */
export function useNewPageForOther(personId: string | null): {
  readonly wasIn: boolean;
  readonly isOther: boolean;
} {
  const [first, setFirst] = useState<string | null>(null);
  if (personId !== null && first === null) setFirst(personId);
  const isOther = personId !== null && first !== null && personId !== first;
  // Before the fields of the page are unmounted, which would save their drafts as the other person.
  useLayoutEffect(() => {
    if (!isOther) return;
    forgetWork();
    forgetUploads()
      .catch(notifyInternalError)
      .finally(() => {
        forgetWork();
        window.location.reload();
      });
  }, [isOther]);
  return { wasIn: first !== null, isOther };
}
