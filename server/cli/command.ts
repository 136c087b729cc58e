// What a command of the command line is: its input as a zod schema, from which flags, help, completion and the tools of
// the MCP server are derived.

import type * as z from "zod";
import { Failure } from "../core/failure.ts";
import type {
  Connection,
  DownloadedFile,
  PlayerConnection,
  ServiceConnection,
} from "./connection.ts";

/** What a command found out or did. */
export interface Outcome {
  /** For scripts. A list is an array. */
  readonly data: unknown;
  /** Of a list: how many there are, where a limit left some out. */
  readonly total?: number;
  /** For people. */
  readonly text: string;
  /** With `hasFile`: fetches it. */
  readonly file?: () => Promise<DownloadedFile>;
  /** The request was accepted, but a screen did not carry it out. */
  readonly isFailed?: boolean;
}

/** A change that is known and not made yet. */
export interface Plan {
  /** What would change, one sentence each; none: there is nothing to do. */
  readonly changes: readonly string[];
  /** Makes the change. */
  readonly carryOut: () => Promise<Outcome>;
}

interface CommandDetails<Input extends z.ZodObject> {
  /** `screens list` */
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** Fields of the input that are given by their position; the last one may be a list. */
  readonly positions?: readonly (keyof z.infer<Input> & string)[];
  /** Returns a file, which `--output` saves. */
  readonly hasFile?: boolean;
}

type Step<Result, Target, Input extends z.ZodObject> = (
  target: Target,
  input: z.infer<Input>,
) => Promise<Result>;

type Steps<Result, Input extends z.ZodObject> = {
  readonly onService?: Step<Result, ServiceConnection, Input>;
  readonly onPlayer?: Step<Result, PlayerConnection, Input>;
};

type Reading<Input extends z.ZodObject> = CommandDetails<Input> &
  Steps<Outcome, Input>;
type Writing<Input extends z.ZodObject> = CommandDetails<Input> &
  Steps<Plan, Input>;

export type Target = Connection["kind"];

export interface Command extends CommandDetails<z.ZodObject> {
  readonly positions: readonly string[];
  readonly isWrite: boolean;
  readonly targets: readonly Target[];
  /** Throws `malformed` for input that does not fit. A read has no changes. */
  readonly prepare: (connection: Connection, raw: object) => Promise<Plan>;
}

/** A command that changes nothing. */
export function reading<Input extends z.ZodObject>(
  details: Reading<Input>,
): Command {
  return created(details, false, async (step) => ({
    changes: [],
    carryOut: step,
  }));
}

/** A command that changes something. */
export function writing<Input extends z.ZodObject>(
  details: Writing<Input>,
): Command {
  return created(details, true, (step) => step());
}

function created<Result, Input extends z.ZodObject>(
  details: CommandDetails<Input> & Steps<Result, Input>,
  isWrite: boolean,
  planOf: (step: () => Promise<Result>) => Promise<Plan>,
): Command {
  const { onService, onPlayer, positions = [], ...others } = details;
  return {
    ...others,
    positions,
    isWrite,
    targets: [
      ...(onService ? (["service"] as const) : []),
      ...(onPlayer ? (["player"] as const) : []),
    ],
    prepare: async (connection, raw) => {
      const input = judged(details.input, raw);
      if (connection.kind === "service" && onService)
        return planOf(() => onService(connection, input));
      if (connection.kind === "player" && onPlayer)
        return planOf(() => onPlayer(connection, input));
      throw new Failure("malformed", whyNot(details.name, connection.kind));
    },
  };
}

function judged<Input extends z.ZodObject>(
  schema: Input,
  raw: object,
): z.infer<Input> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new Failure("malformed", `${field}: ${issue?.message ?? "not valid"}.`);
}

function whyNot(name: string, target: Target): string {
  return target === "player"
    ? `"${name}" needs a content service; leave out --player and set --service.`
    : `"${name}" needs a player; set --player.`;
}
