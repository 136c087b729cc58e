// Calls of the manager by their names, as whatever answers them has them.

import type {
  ManagerAnswers,
  ManagerInput,
  ManagerQuestion,
} from "../ipc/ipc.ts";

export type Calls<Questions extends ManagerQuestion> = {
  readonly [Q in Questions]: (
    input: ManagerInput<Q>,
  ) => Promise<ManagerAnswers[Q]>;
};
