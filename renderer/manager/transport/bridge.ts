// What answers the manager's own requests: the main process in the player's window, the content service in a browser at its address.

import type {
  ManagerAnswers,
  ManagerInput,
  ManagerQuestion,
} from "../../../server/contract/ipc/ipc.ts";
import { isBrowser } from "../place/abilities.ts";

type Bridge = {
  readonly [Q in ManagerQuestion]: (
    input: ManagerInput<Q>,
  ) => Promise<ManagerAnswers[Q]>;
};

/** In a browser at a content service; null elsewhere. */
let provided: Partial<Bridge> | null = null;

/** Call before anything is rendered. */
export function provideBridge(bridge: Partial<Bridge>): void {
  provided = bridge;
}

/** A browser at the player's address has nobody to ask. */
export function isAnswered(question: ManagerQuestion): boolean {
  return provided === null ? !isBrowser : question in provided;
}

/** Only for what this place can do (`can`). */
export function bridge(): Bridge {
  // What a place lacks is not rendered.
  return provided === null ? window.manager : (provided as Bridge);
}
