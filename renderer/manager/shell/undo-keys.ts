// Ctrl+Z undoes the most recent action, from anywhere but a text field.

import { useHotkeys } from "@mantine/hooks";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { undoLast } from "../undo/undo.ts";

/** Call once: the shell does. */
export function useUndoKeys(): void {
  useHotkeys([["mod+Z", undoUnlessWritten, { preventDefault: false }]], []);
}

const written =
  "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])";

/** In a text field, the keys undo what was typed; a switch or a select is not a text field. */
function undoUnlessWritten(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.matches(written)) return;
  event.preventDefault();
  undoLast().catch(notifyInternalError);
}
