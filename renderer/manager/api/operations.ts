// The player's operations as hooks: queried once, again when the player reports a change, and failing with its messages.

import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import type {
  OperationAnswer,
  OperationInput,
  OperationName,
} from "../../../server/contract/ipc/ipc-operate.ts";
import { openPage, type PageId } from "../place/navigation.ts";
import { noteSucceeded, Refusal } from "./refusal.ts";
import { transport } from "../transport/transport.ts";

/** `operate("changeAsset", { parameters: { id }, body: { name } })`. Throws a Refusal, or the reason of the signal. */
export async function operate<Name extends OperationName>(
  operation: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
): Promise<OperationAnswer<Name>> {
  const pending = transport.operate({ operation, ...input }, signal);
  if (undoable.has(operation)) track(pending);
  const outcome = await pending;
  const { parameters = {} } = input as { readonly parameters?: object };
  const attempt = `${operation} ${JSON.stringify(parameters)}`;
  if (!outcome.isDone)
    throw new Refusal(outcome.code, outcome.message, outcome.fields, attempt);
  noteSucceeded(operation, attempt);
  return outcome.answer as OperationAnswer<Name>;
}

const underWay = new Set<Promise<unknown>>();
let begunOn: PageId | null = null;

/**
 * The page on which the change that is pending, or just answered, was started: another page may be open by the time it is answered.
 */
export function pageOfChange(): PageId {
  return begunOn ?? openPage();
}

/** Changes that the manager can undo shortly after; waiting for them does not include waiting for a backup or a sync. */
const undoable: ReadonlySet<OperationName> = new Set([
  ...(["changeAsset", "orderAssets", "replaceSource"] as const),
  ...(["createPlaylist", "changePlaylist"] as const),
  ...(["appendPlaylistItems"] as const),
  ...(["moveToTrash", "restoreFromTrash", "discardLocalChanges"] as const),
  ...(["changeSettings", "changeSyncAccount", "createSyncChange"] as const),
]);

/**
 * Registers a change that is pending, or will be in a moment: waiting for all changes includes it. A change made in several steps
 * is registered as a whole. Returns what it resolves to.
 */
export function noteChange<T>(pending: Promise<T>): Promise<T> {
  track(pending);
  return pending;
}

/** The caller handles its failure. */
function track(pending: Promise<unknown>): void {
  if (underWay.size === 0) begunOn = openPage();
  underWay.add(pending);
  const forget = (): void => {
    underWay.delete(pending);
    // After those waiting for it have continued.
    setTimeout(() => {
      if (underWay.size === 0) begunOn = null;
    });
  };
  pending.then(forget, forget);
}

/** Resolves once every requested change is answered, and those waiting for it have continued. */
export async function changesAnswered(): Promise<void> {
  do {
    await Promise.allSettled(underWay);
    await new Promise((resolve) => setTimeout(resolve));
  } while (underWay.size > 0);
}

/** The key under which a response is cached; its first part alone addresses all responses of the operation. */
export function keyOf<Name extends OperationName>(
  operation: Name,
  input?: OperationInput<Name>,
): readonly unknown[] {
  return input === undefined ? [operation] : [operation, input];
}

/** Queries an operation that only reads. Never sent where nobody answers. */
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
    enabled: transport.answers(operation) && (options.isEnabled ?? true),
    ...(options.intervalMs === undefined
      ? {}
      : { refetchInterval: options.intervalMs }),
  });
}

/** An operation that changes something; the queries it `spoils` are refetched when it is done. */
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
