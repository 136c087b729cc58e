// The running takeover; null when there is none.

import { useQuery } from "@tanstack/react-query";
import type { TakeoverV2 } from "../../../server/contract/v2/v2-screen.ts";
import { keyOf, operate } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";

/** Undefined until the player has answered. */
export function useTakeover(): TakeoverV2 | null | undefined {
  return useQuery({
    queryKey: keyOf("readTakeover", {}),
    queryFn: async () => {
      try {
        return await operate("readTakeover", {});
      } catch (error) {
        // "Not found" is a valid response: there is none.
        if (error instanceof Refusal && error.code === "not-found") return null;
        throw error;
      }
    },
  }).data;
}
