// A server that keeps one answer back until it is told to go on, and says when it was asked.

import type { Answer } from "./faulty-cloud.ts";

export function holdingBack(): {
  readonly answer: Answer;
  readonly asked: Promise<void>;
  readonly goOn: () => void;
} {
  let goOn = (): void => undefined;
  let wasAsked = (): void => undefined;
  const notify = new Promise<void>((resolve) => (goOn = resolve));
  const asked = new Promise<void>((resolve) => (wasAsked = resolve));
  return {
    answer: (_request, _response, usual) => {
      wasAsked();
      void notify.then(usual);
    },
    asked,
    goOn: () => goOn(),
  };
}
