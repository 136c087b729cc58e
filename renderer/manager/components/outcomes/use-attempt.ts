// Work that a person starts with a button or a form: one at a time, and a failure is never lost.

import { useState } from "react";
import { notifyInternalError } from "./outcome.ts";

interface Attempt {
  readonly isUnderWay: boolean;
  /** Ignored while an earlier one is under way. */
  readonly attempt: (work: () => Promise<unknown>) => void;
}

export function useAttempt(onFailed: (error: unknown) => void): Attempt {
  const [isUnderWay, setIsUnderWay] = useState(false);
  return {
    isUnderWay,
    attempt: (work) => {
      if (isUnderWay) return;
      setIsUnderWay(true);
      work()
        .catch(onFailed)
        .finally(() => {
          setIsUnderWay(false);
        })
        .catch(notifyInternalError);
    },
  };
}

interface RefusedAttempt extends Attempt {
  /** Where the reason stands, until something is typed. */
  readonly atField: {
    readonly error: string | null;
    readonly errorProps: { readonly role: "alert"; readonly dir: "auto" };
  };
  readonly forget: () => void;
}

/** The reason of a failure stands at a field of the form. */
export function useRefusal(
  sentenceOf: (error: unknown) => string,
): RefusedAttempt {
  const [error, setError] = useState<string | null>(null);
  return {
    ...useAttempt((reason) => {
      setError(sentenceOf(reason));
    }),
    atField: { error, errorProps: { role: "alert", dir: "auto" } },
    forget: () => {
      setError(null);
    },
  };
}
