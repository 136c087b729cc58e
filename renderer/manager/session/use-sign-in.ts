// Signs this browser in with what it is given, and opens the manager.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reasonOf } from "../api/reason.ts";
import { operate } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import { t } from "../../locales/messages.ts";
import { noteSignedIn, useSignedOut } from "../transport/signed-out.ts";

interface SignInError {
  readonly reason: string;
  /** It cannot succeed with the same any more. */
  readonly isRejected: boolean;
}

/** `wrong` is the sentence for what is not accepted. */
export function useSignIn(wrong: string) {
  const client = useQueryClient();
  const signedOut = useSignedOut();
  const [error, setError] = useState<SignInError | null>(null);
  const [isPending, setIsPending] = useState(false);
  const signIn = async (body: {
    readonly password?: string;
    readonly phone_code?: string;
  }): Promise<void> => {
    setIsPending(true);
    try {
      await operate("signIn", { body });
      // What was begun before the session ended continues; after a sign-out, nothing is left in the page.
      if (signedOut === "left") window.location.reload();
      else {
        noteSignedIn();
        await client.invalidateQueries();
      }
    } catch (failure) {
      setError(errorOf(failure, wrong));
      setIsPending(false);
    }
  };
  return {
    ...{ signIn, isPending, error },
    forgetError: () => {
      setError(null);
    },
  };
}

function errorOf(failure: unknown, wrong: string): SignInError {
  if (!(failure instanceof Refusal))
    return { reason: reasonOf(failure), isRejected: false };
  const { code, message } = failure;
  if (code === "unauthorized") return { reason: wrong, isRejected: true };
  const reason = code === "too-many" ? t("session.tooMany") : message;
  return { reason, isRejected: false };
}
