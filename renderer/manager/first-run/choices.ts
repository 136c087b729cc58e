// Choices of the first run, and what is stored of them at its end: nothing before, and nothing else. Pure.

import type {
  MachineRole,
  Orientation,
} from "../../../server/contract/ipc/ipc.ts";

/** Undefined stays unchanged. */
export interface Choices {
  readonly role?: MachineRole;
  readonly displayId?: number;
  readonly orientation?: Orientation;
  /** For browsers; empty: none is set. */
  readonly password?: string;
}

type Now = Required<Omit<Choices, "password">> & {
  readonly startsWithMachine: boolean;
};

/** Returns only what differs from the present values. */
export function changesOf(choices: Choices, now: Now) {
  const { role, displayId, orientation, password = "" } = choices;
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
      // An unattended screen restarts by itself after a power cut.
      ...(isOther &&
        role === "screen" &&
        !now.startsWithMachine && { start_with_machine: true }),
    },
    password: password.trim() === "" ? null : password,
  };
}
