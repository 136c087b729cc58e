// Reading version 3 of the content service, as hooks: read when a page opens, and again after a change.

import {
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { requestService } from "./service-requests.ts";

export function serviceKey(path: string): QueryKey {
  return ["service", path];
}

/** `useServiceAnswer<readonly PersonV3[]>("/people/")` */
export function useServiceAnswer<Answer>(
  path: string,
  intervalMs?: number,
): UseQueryResult<Answer> {
  return useQuery({
    queryKey: serviceKey(path),
    queryFn: () => requestService<Answer>("GET", path),
    // Others change it as well, and nothing reports that.
    ...{ staleTime: 0, refetchOnWindowFocus: true },
    ...(intervalMs !== undefined && { refetchInterval: intervalMs }),
  });
}

/** Reads again what has changed. */
export function useServiceRefetch(): (
  ...paths: readonly string[]
) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (...paths) => {
      await Promise.all(
        paths.map((path) =>
          client.invalidateQueries({ queryKey: serviceKey(path) }),
        ),
      );
    },
    [client],
  );
}
