// Dialogs and panels that cover a page. A browser loads them after its first page: there, the bundler puts `lazy-shell-parts.tsx` in
// the place of this file.

export { CommandBar } from "../commands/CommandBar.tsx";
export { FirstRun } from "../first-run/FirstRun.tsx";
export { Takeover } from "../takeover/Takeover.tsx";
export { JobsTray } from "../uploads/JobsTray.tsx";
export { RejectedPageDialog } from "../uploads/RejectedPageDialog.tsx";
