// Asks the person before a change is sent to the content service that changes what screens show, or that breaks an assertion. One
// question at a time; the dialog that shows it is the shell's.

import { useSyncExternalStore } from "react";
import {
  heldBackV3,
  type WhatIfV3,
} from "../../../server/contract/v3/v3-what-if.ts";

export interface ChangeQuestion {
  /** Null: whether to apply what the service holds back. */
  readonly asked: {
    readonly question: string;
    /** Of the button that applies it. */
    readonly apply: string;
  } | null;
  /** What the change would do; null if the service can't tell. */
  readonly whatIf: WhatIfV3 | null;
  readonly answer: (isYes: boolean) => void;
}

let current: ChangeQuestion | null = null;
const listeners = new Set<() => void>();

function setCurrent(next: ChangeQuestion | null): void {
  current = next;
  for (const listener of listeners) listener();
}

const currentQuestion = (): ChangeQuestion | null => current;

/** A press in its dialog is outside everything else that is open. */
export function isChangeAsked(): boolean {
  return current !== null;
}

export function useChangeQuestion(): ChangeQuestion | null {
  return useSyncExternalStore(subscribe, currentQuestion, currentQuestion);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // Nobody is left to answer it.
    if (listeners.size === 0) current?.answer(false);
  };
}

let line: Promise<unknown> = Promise.resolve();

/** Resolves to the answer. */
export function askAboutChange(
  asked: ChangeQuestion["asked"],
  whatIf: WhatIfV3 | null,
): Promise<boolean> {
  const next = line.then(
    () =>
      new Promise<boolean>((resolve) => {
        if (listeners.size === 0) {
          resolve(false);
          return;
        }
        setCurrent({
          ...{ asked, whatIf },
          answer: (isYes) => {
            setCurrent(null);
            resolve(isYes);
          },
        });
      }),
  );
  line = next;
  return next;
}

/** What a response to a write would change, if assertions hold it back (V3-196); undefined for any other response. */
export function heldBackIn(
  status: number,
  json: unknown,
): WhatIfV3 | null | undefined {
  if (status < 400 || typeof json !== "object") return undefined;
  return heldBackV3.safeParse(json).data?.what_if;
}
