// Answers that are never older than what was told: a change that is told while an answer is under way asks once more.

import {
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryClientConfig,
} from "@tanstack/react-query";

/**
 * An answer under way may have left before the change: the library itself begins anew only where somebody looks at an
 * earlier answer, and would keep this one as true for ever.
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
      void this.invalidateQueries({ queryKey: query.queryKey, exact: true });
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
