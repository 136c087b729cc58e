// Gives the screen back to the programme.

import { useQueryClient } from "@tanstack/react-query";
import { keyOf, operate } from "../operations.ts";
import { sayDone, sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";

export function useEndTakeover(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await operate("endTakeover", {});
      sayDone(texts.takeover.ended);
    } catch (error) {
      sayFailed(texts.takeover.notEnded, error);
    }
    await client.invalidateQueries({ queryKey: keyOf("readTakeover") });
  };
}
