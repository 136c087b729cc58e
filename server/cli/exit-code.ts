// Exit codes of the command line, for scripts.

import { Failure, type FailureCode } from "../core/failure.ts";

export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  unreachable: 3,
  "key-rejected": 4,
  "not-found": 5,
  refused: 6,
  "not-carried-out": 7,
} as const;

export const exitCodeTexts: Readonly<
  Record<(typeof exitCodes)[keyof typeof exitCodes], string>
> = {
  0: "Done.",
  1: "Unexpected error.",
  2: "The command line is not valid.",
  3: "The service or player cannot be reached, or is too busy.",
  4: "The key is missing, wrong, or not allowed to do this.",
  5: "A screen, label, asset or playlist does not exist.",
  6: "The service or player rejected the request.",
  7: "With --wait: a screen did not carry out the command.",
};

const byFailure: Readonly<Record<FailureCode, keyof typeof exitCodes>> = {
  malformed: "usage",
  unavailable: "unreachable",
  "too-many": "unreachable",
  unauthorized: "key-rejected",
  forbidden: "key-rejected",
  "not-found": "not-found",
  "unknown-name": "not-found",
  invalid: "refused",
  conflict: "refused",
  "too-large": "refused",
  "no-space": "refused",
  corrupt: "refused",
  unsupported: "refused",
};

export function exitCodeOf(error: unknown): number {
  return error instanceof Failure
    ? exitCodes[byFailure[error.code]]
    : exitCodes.unexpected;
}
