// Whether something lies over the page: then its keys are not the page's.

import { commandStore } from "../commands/open.ts";

export function isSomethingOpen(): boolean {
  return (
    commandStore.getState().opened ||
    document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  );
}
