// What is chosen in the first run, and what is stored of it when it is done: nothing before, and nothing else. Pure.

import type {
  MachineRole,
  Orientation,
} from "../../../server/contract/ipc/ipc.ts";

/** Undefined is left as it is. */
export interface Choices {
  readonly role?: MachineRole;
  readonly displayId?: number;
  readonly orientation?: Orientation;
}

type Now = Required<Choices> & { readonly startsWithMachine: boolean };

/** Only what is another than it was. */
export function changesOf(choices: Choices, now: Now) {
  const { role, displayId, orientation } = choices;
  const isOther = role !== undefined && role !== now.role;
  return {
    machine: {
      ...(isOther && { role }),
      ...(displayId !== undefined &&
        displayId !== now.displayId && { displayId }),
    },
    settings: {
      ...(orientation !== undefined &&
        orientation !== now.orientation && { screen_rotation: orientation }),
      // A screen nobody sits at comes up by itself after a power cut.
      ...(isOther &&
        role === "screen" &&
        !now.startsWithMachine && { start_with_machine: true }),
    },
  };
}
