// The player's operations as hooks: asked once, asked again when the player says something changed, refused in its words.

import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { FieldSentences } from "../../server/core/failure.ts";
import type {
  OperationAnswer,
  OperationInput,
  OperationName,
} from "../../server/contract/ipc/ipc-operate.ts";
import { openPage, type PageId } from "./place.ts";

/** What the player refused, with its sentences per field where it has some. */
export class Refusal extends Error {
  readonly code: string;
  readonly fields: FieldSentences | null;
  /** What was tried: the operation and what it was about, whatever it was sent. */
  readonly attempt: string;

  constructor(
    code: string,
    message: string,
    fields: FieldSentences | null,
    attempt = "",
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.fields = fields;
    this.attempt = attempt;
  }
}

/** `operate("changeAsset", { parameters: { id }, body: { name } })`. Throws a Refusal. */
export async function operate<Name extends OperationName>(
  operation: Name,
  input: OperationInput<Name>,
): Promise<OperationAnswer<Name>> {
  const pending = window.manager.operate({ operation, ...input });
  if (undoable.has(operation)) void noteChange(pending);
  const outcome = await pending;
  const { parameters = {} } = input as { readonly parameters?: object };
  const attempt = `${operation} ${JSON.stringify(parameters)}`;
  if (!outcome.isDone)
    throw new Refusal(outcome.code, outcome.message, outcome.fields, attempt);
  for (const listener of listeners) listener(operation, attempt);
  return outcome.answer as OperationAnswer<Name>;
}

type OperationListener = (operation: OperationName, attempt: string) => void;

const listeners = new Set<OperationListener>();

/** Told of every operation that succeeds: by its name, and as a `Refusal` names what was tried. */
export function onOperation(listener: OperationListener): void {
  listeners.add(listener);
}

const underWay = new Set<Promise<unknown>>();
let begunOn: PageId | null = null;

/** Where the change that is under way, or just answered, was begun: another page may be open by the time it is answered. */
export function pageOfChange(): PageId {
  return begunOn ?? openPage();
}

/** Changes that the desk can take back in a moment; whoever waits for them does not wait for a backup or a sync. */
const undoable: ReadonlySet<OperationName> = new Set([
  ...(["changeAsset", "orderAssets", "replaceSource"] as const),
  ...(["createPlaylist", "changePlaylist"] as const),
  ...(["appendPlaylistItems"] as const),
  ...(["moveToTrash", "restoreFromTrash", "discardLocalChanges"] as const),
  ...(["changeSettings", "changeSyncAccount", "createSyncChange"] as const),
]);

/**
 * A change that is under way, or will be in a moment: who waits for all of them waits for it too. One that is asked
 * for in several steps is noted as a whole. Answers what it answers.
 */
export function noteChange<T>(pending: Promise<T>): Promise<T> {
  if (underWay.size === 0) begunOn = openPage();
  underWay.add(pending);
  const forget = (): void => {
    underWay.delete(pending);
    // Once whoever waited for it has gone on.
    setTimeout(() => {
      if (underWay.size === 0) begunOn = null;
    });
  };
  pending.then(forget, forget);
  return pending;
}

/** Resolves once every change that was asked for is answered, and whoever waited for it has gone on. */
export async function changesAnswered(): Promise<void> {
  do {
    await Promise.allSettled(underWay);
    await new Promise((resolve) => setTimeout(resolve));
  } while (underWay.size > 0);
}

/** The key under which an answer is kept; its first part alone means all answers of the operation. */
export function keyOf<Name extends OperationName>(
  operation: Name,
  input?: OperationInput<Name>,
): readonly unknown[] {
  return input === undefined ? [operation] : [operation, input];
}

/** Asks an operation that only reads. */
export function useAnswer<Name extends OperationName>(
  operation: Name,
  input: OperationInput<Name>,
  options: {
    readonly isEnabled?: boolean;
    readonly intervalMs?: number;
  } = {},
): UseQueryResult<OperationAnswer<Name>> {
  return useQuery({
    queryKey: keyOf(operation, input),
    queryFn: () => operate(operation, input),
    enabled: options.isEnabled ?? true,
    ...(options.intervalMs === undefined
      ? {}
      : { refetchInterval: options.intervalMs }),
  });
}

/** An operation that changes something; what it `spoils` is asked again when it is done. */
export function useOperation<Name extends OperationName>(
  operation: Name,
  spoils: readonly OperationName[] = [],
): UseMutationResult<OperationAnswer<Name>, Error, OperationInput<Name>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<Name>) => operate(operation, input),
    onSettled: async () => {
      await Promise.all(
        spoils.map((spoiled) =>
          client.invalidateQueries({ queryKey: keyOf(spoiled) }),
        ),
      );
    },
  });
}
