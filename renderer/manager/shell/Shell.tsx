// The frame around every page: navigation, what is on the screen, the command bar and the takeover.

import { VisuallyHidden } from "@mantine/core";
import { useHotkeys, type HotkeyItem } from "@mantine/hooks";
import type { ReactNode } from "react";
import { usePlayerEvents } from "./player-events.ts";
import { DropZone } from "../uploads/DropZone.tsx";
import { usePasteAnywhere } from "../uploads/paste.ts";
import { useStoredUploads } from "../uploads/uploads.ts";
import { pages } from "../pages/pages.ts";
import { goTo, usePlace, type PageId } from "../place/navigation.ts";
import { useFocusKept } from "./focus-recovery.ts";
import { usePressKept } from "./moved-button-press.ts";
import { ManagerHeader } from "./ManagerHeader.tsx";
import { NavigationRail } from "./NavigationRail.tsx";
import { PageArea, SkipLink } from "./PageArea.tsx";
import {
  CommandBar,
  FirstRun,
  JobsTray,
  RejectedPageDialog,
  Takeover,
} from "./shell-parts.ts";
import { UndoDialog } from "./UndoDialog.tsx";
import { useUndoKeys } from "./undo-keys.ts";
import { useAnswer } from "../api/operations.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { can } from "../place/abilities.ts";
import "./shell.css";
import { useNow } from "../api/api.ts";

export function Shell(): ReactNode {
  usePlayerEvents();
  useScreensClock();
  usePasteAnywhere();
  useStoredUploads();
  useFocusKept();
  usePressKept();
  // From anywhere, fields included: these keys mean nothing in any of them.
  useHotkeys(
    pages.flatMap(({ id, shortcut }): HotkeyItem[] =>
      shortcut === null ? [] : [[shortcut, () => leaveFor(id)]],
    ),
    [],
  );
  useUndoKeys();
  const { page, at } = usePlace();

  return (
    <div className="shell">
      <SkipLink />
      <NavigationRail {...{ page, pages }} />
      <ManagerHeader />
      <PageArea {...{ page, at, pages }} />
      <Takeover />
      <CommandBar />
      {can("machine") ? <FirstRun /> : null}
      <UndoDialog />
      <RejectedPageDialog />
      <JobsTray />
      <DropZone />
      <NowAloud />
    </div>
  );
}

/** The focused field loses the focus as by a click elsewhere: it saves what was typed, or shows why it cannot. */
function leaveFor(page: PageId): void {
  const { activeElement: focused } = document;
  if (focused instanceof HTMLElement && focused.closest("main")) focused.blur();
  goTo(page);
}

/** Rerenders everything below, so that no page uses another clock than its neighbour. */
function useScreensClock(): void {
  const zone = useAnswer("readSettings", {}).data?.["timezone"];
  if (typeof zone === "string") formats.goBy(zone);
}

// Announces each new showing to screen readers; politely, so that nothing is cut short.

function NowAloud(): ReactNode {
  const name = useNow().data?.showing?.name;
  return (
    <VisuallyHidden aria-live="polite">
      {name === undefined ? "" : t("now.nowShowing", { name })}
    </VisuallyHidden>
  );
}
