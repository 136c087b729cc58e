// The frame around every page at a content service: navigation, and who is signed in.

import type { ReactNode } from "react";
import { usePlace, type PageId } from "../place/navigation.ts";
import { pages } from "../pages/pages.ts";
import { usePlayerEvents } from "../shell/player-events.ts";
import { useMayRequest } from "../place/permissions.ts";
import { useFocusKept } from "../shell/focus-recovery.ts";
import { usePressKept } from "../shell/moved-button-press.ts";
import { NavigationRail } from "../shell/NavigationRail.tsx";
import { PageArea, SkipLink } from "../shell/PageArea.tsx";
import { JobsTray, RejectedPageDialog } from "../shell/shell-parts.ts";
import { UndoDialog } from "../shell/UndoDialog.tsx";
import { useUndoKeys } from "../shell/undo-keys.ts";
import { DropZone } from "../uploads/DropZone.tsx";
import { usePasteAnywhere } from "../uploads/paste.ts";
import { ChangeDialog } from "./ChangeDialog.tsx";
import { ServiceHeader } from "./ServiceHeader.tsx";
import "../shell/shell.css";

export function ServiceShell(): ReactNode {
  useFocusKept();
  usePressKept();
  usePlayerEvents();
  useUndoKeys();
  const mayRequest = useMayRequest();
  const hidden: ReadonlySet<PageId> = new Set([
    ...(mayRequest("GET", "/people") ? [] : (["team"] as const)),
    ...(mayRequest("GET", "/activity") ? [] : (["activity"] as const)),
    ...(mayRequest("GET", "/playbacks/report") ? [] : (["reports"] as const)),
  ]);
  const { page, at } = usePlace();
  const allowed = pages.filter(({ id }) => !hidden.has(id));
  // A link to a page that this person may not open.
  const place = allowed.some(({ id }) => id === page)
    ? { page, at }
    : ({ page: "screens", at: "" } as const);
  return (
    <div className="shell">
      <SkipLink />
      <NavigationRail page={place.page} pages={allowed} />
      <ServiceHeader />
      <PageArea {...place} pages={allowed} />
      <UndoDialog />
      <ChangeDialog />
      {mayRequest("POST", "/assets") ? <Adding /> : null}
    </div>
  );
}

/** What is dropped or pasted anywhere is added to the library. */
function Adding(): ReactNode {
  usePasteAnywhere();
  return (
    <>
      <RejectedPageDialog />
      <JobsTray />
      <DropZone />
    </>
  );
}
