// A query that failed, with its reason, and the button that sends it again.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import { ErrorAlert } from "./ErrorAlert.tsx";
import { notifyInternalError } from "./outcome.ts";

export function QueryError({
  query,
  sentence,
}: {
  readonly query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  readonly sentence: string;
}): ReactNode {
  return (
    <ErrorAlert
      sentence={sentence}
      reason={reasonOf(query.error)}
      isTrying={query.isFetching}
      onTryAgain={() => {
        query.refetch().catch(notifyInternalError);
      }}
    />
  );
}
