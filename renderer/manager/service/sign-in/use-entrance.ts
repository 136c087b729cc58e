// Sends what signs a person in, and opens the manager for them.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SignedInV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { noteSignedIn, useSignedOut } from "../../transport/signed-out.ts";
import { serviceKey } from "../../service-requests/service-queries.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { invalidatePages } from "./invalidate-pages.ts";

export function useEntrance() {
  const client = useQueryClient();
  const signedOut = useSignedOut();
  const [isPending, setIsPending] = useState(false);
  /** Rejects with a Refusal. */
  const enter = async (path: string, body: object): Promise<void> => {
    setIsPending(true);
    try {
      const answer = await requestService<SignedInV3>("POST", path, body);
      // After a sign-out, nothing of the person before is left in the page; otherwise, what was begun goes on, for the same person.
      if (signedOut === "left") {
        window.location.reload();
        return;
      }
      client.setQueryData(serviceKey("/sign-in/"), answer);
      noteSignedIn();
      await invalidatePages(client);
    } finally {
      setIsPending(false);
    }
  };
  return { enter, isPending };
}

/** A sentence for people about a rejected entrance. */
export function entranceReason(error: unknown, wrong: string): string {
  if (!(error instanceof Refusal)) return reasonOf(error);
  if (error.code === "unauthorized") return wrong;
  return error.code === "too-many" ? t("session.tooMany") : error.message;
}
