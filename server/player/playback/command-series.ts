// Playback commands in quick succession: each replaces what the one before it prepares, but only for a second. Then they wait for it, so
// that something reaches the screen however many arrive (V2-709).

import type { DirectorEvent } from "../../core/director/director.ts";
import type { Clock } from "../../platform/clock.ts";

export type Command = Extract<
  DirectorEvent,
  { readonly kind: "stepped" | "ordered" }
>;

export interface CommandSeries {
  /** Carried out at once, or as soon as the commands before it have reached the screen. */
  add(command: Command): void;
  /** The commands before may have reached the screen. */
  changed(): void;
}

export interface CommandSeriesOptions {
  readonly clock: Clock;
  /** A command that was carried out has not reached the screen yet. */
  readonly isUnderWay: () => boolean;
  readonly carryOut: (command: Command) => void;
}

/** Longer than a person takes for a few presses of a key. */
const replacedForMs = 1000;

export function createCommandSeries({
  clock,
  isUnderWay,
  carryOut,
}: CommandSeriesOptions): CommandSeries {
  let beganAt = -Infinity;
  let held: Command | null = null;

  function begin(command: Command): void {
    beganAt = clock.monotonic();
    carryOut(command);
  }

  return {
    add: (command) => {
      if (!isUnderWay()) begin(command);
      else if (held === null && clock.monotonic() - beganAt < replacedForMs)
        carryOut(command);
      else held = added(held, command);
    },
    changed: () => {
      if (held === null || isUnderWay()) return;
      const next = held;
      held = null;
      begin(next);
    },
  };
}

/** Steps add up; any other command replaces the one before it. */
function added(before: Command | null, command: Command): Command {
  return before?.kind === "stepped" && command.kind === "stepped"
    ? { kind: "stepped", by: before.by + command.by }
    : command;
}
