// A response that is held back until it is released, with a promise that resolves when it was requested.

import type { Answer } from "./faulty-service.ts";

export function holdingBack(): {
  readonly answer: Answer;
  readonly requested: Promise<void>;
  readonly goOn: () => void;
} {
  let goOn = (): void => undefined;
  let notifyRequested = (): void => undefined;
  const released = new Promise<void>((resolve) => (goOn = resolve));
  const requested = new Promise<void>((resolve) => (notifyRequested = resolve));
  return {
    answer: (_request, _response, usual) => {
      notifyRequested();
      void released.then(usual);
    },
    requested,
    goOn: () => goOn(),
  };
}
