// Reads again what the pages show, once a person is signed in.

import type { QueryClient } from "@tanstack/react-query";

/** Of the query of a link, before its secret. */
export const linkKey = "link";

/** Without the link, which is used up. */
export async function invalidatePages(client: QueryClient): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [kind] }) => kind !== linkKey,
  });
}
