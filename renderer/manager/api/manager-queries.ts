// The manager's own queries as hooks: sent once, and refetched on request.

import {
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useCallback } from "react";
import type {
  ManagerAnswers,
  ManagerInput,
  ManagerQuestion,
} from "../../../server/contract/ipc/ipc.ts";
import { bridge, isAnswered } from "../transport/bridge.ts";

export function questionKey<Q extends ManagerQuestion>(
  question: Q,
): readonly unknown[] {
  return ["question", question];
}

/** `useQuestion("readAbout", {})`; for queries that change nothing. Never sent where nobody answers. */
export function useQuestion<Q extends ManagerQuestion>(
  question: Q,
  input: ManagerInput<Q>,
  options: {
    readonly isEnabled?: boolean;
    readonly intervalMs?: number;
  } = {},
): UseQueryResult<ManagerAnswers[Q]> {
  return useQuery({
    queryKey: [...questionKey(question), input],
    queryFn: () => bridge()[question](input),
    enabled: isAnswered(question) && (options.isEnabled ?? true),
    ...(options.intervalMs === undefined
      ? {}
      : { refetchInterval: options.intervalMs }),
  });
}

/** Refetches outdated queries. */
export function useRefetch(): (
  ...questions: readonly ManagerQuestion[]
) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (...questions) => {
      await Promise.all(
        questions.map((question) =>
          client.invalidateQueries({ queryKey: questionKey(question) }),
        ),
      );
    },
    [client],
  );
}
