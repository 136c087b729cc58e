// Query client whose responses are never older than the latest known change: a change reported during a request causes a refetch.

import {
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryClientConfig,
} from "@tanstack/react-query";

/**
 * A pending response may be older than the change: the library itself restarts a request only where a component uses an earlier
 * response, and would cache this one as current permanently.
 */
export class FreshAnswers extends QueryClient {
  readonly #behind = new WeakSet<object>();

  constructor(config: QueryClientConfig) {
    super(config);
    this.getQueryCache().subscribe((event) => {
      if (event.type !== "updated") return;
      const { action } = event;
      const query = event.query as Query;
      if (action.type === "fetch") this.#behind.delete(query);
      if (action.type !== "success" || action.manual) return;
      if (!this.#behind.delete(query)) return;
      this.invalidateQueries({ queryKey: query.queryKey, exact: true }).catch(
        // A refetch that fails is a state of its query, which the component shows: only `throwOnError` would reject.
        () => undefined,
      );
    });
  }

  override invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters))
      if (query.state.fetchStatus === "fetching") this.#behind.add(query);
    return super.invalidateQueries(filters, options);
  }
}

/** What it asks may be this machine: being offline changes nothing, so no query ever waits for a network. */
export function createQuestions(): QueryClient {
  return new FreshAnswers({
    defaultOptions: {
      queries: {
        ...({ networkMode: "always", retry: 2, retryDelay: 300 } as const),
        // Changes arrive as events; a window that regains the focus needs no refetch.
        refetchOnWindowFocus: false,
        staleTime: Infinity,
      },
      mutations: { networkMode: "always" },
    },
  });
}
