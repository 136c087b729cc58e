// What is chosen in the first run, and what is stored of it when it is done: nothing before, and nothing else. Pure.

import type {
  MachineRole,
  Rotation,
} from "../../../server/contract/ipc/ipc.ts";

/** Undefined is left as it is. */
export interface Choices {
  readonly role?: MachineRole;
  readonly displayId?: number;
  readonly rotation?: Rotation;
}

type Now = Required<Choices> & { readonly startsWithMachine: boolean };

/** Only what is another than it was. */
export function changesOf(choices: Choices, now: Now) {
  const { role, displayId, rotation } = choices;
  const isOther = role !== undefined && role !== now.role;
  return {
    machine: {
      ...(isOther && { role }),
      ...(displayId !== undefined &&
        displayId !== now.displayId && { displayId }),
    },
    settings: {
      ...(rotation !== undefined &&
        rotation !== now.rotation && { screen_rotation: rotation }),
      // A screen nobody sits at comes up by itself after a power cut.
      ...(isOther &&
        role === "screen" &&
        !now.startsWithMachine && { start_with_machine: true }),
    },
  };
}
