// Handlers of a text field with a draft: leaving it or Enter saves, Escape drops what was typed.

import type { KeyboardEvent } from "react";
import { notifyInternalError } from "../outcomes/outcome.ts";
import type { EditedField } from "./use-draft.ts";

/** `isWrong`: what was typed is dropped when the field is left. */
export function draftInput(
  draft: Pick<EditedField, "leave" | "drop">,
  isWrong = false,
) {
  const save = (): void => {
    draft.leave().catch(notifyInternalError);
  };
  return {
    onBlur: () => {
      if (isWrong) draft.drop();
      else save();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter") save();
      if (event.key === "Escape") draft.drop();
    },
  };
}
