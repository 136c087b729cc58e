// The frame around every page: navigation, what is on the screen, the command bar and the takeover.

import { Box, VisuallyHidden } from "@mantine/core";
import { useHotkeys, type HotkeyItem } from "@mantine/hooks";
import {
  Suspense,
  useCallback,
  useEffect,
  useRef,
  type ReactNode,
} from "react";
import { CommandBar } from "./commands/CommandBar.tsx";
import { FirstRun } from "./first-run/FirstRun.tsx";
import { usePlayerEvents } from "./player-events.ts";
import { DropZone } from "./uploads/DropZone.tsx";
import { JobsTray } from "./uploads/JobsTray.tsx";
import { RejectedPageDialog } from "./uploads/RejectedPageDialog.tsx";
import { usePasteAnywhere } from "./uploads/paste.ts";
import { useStoredUploads } from "./uploads/uploads.ts";
import { pages } from "./pages.ts";
import { Boundary } from "./components/outcomes/Boundary.tsx";
import { goTo, usePlace, type PageId } from "./navigation.ts";
import { useFocusKept } from "./shell/focus-recovery.ts";
import { usePressKept } from "./shell/moved-button-press.ts";
import { ManagerHeader } from "./shell/ManagerHeader.tsx";
import { NavigationRail } from "./shell/NavigationRail.tsx";
import { UndoDialog } from "./shell/UndoDialog.tsx";
import { Takeover } from "./takeover/Takeover.tsx";
import { useAnswer } from "./operations.ts";
import { formats } from "../locales/language.ts";
import { t } from "../locales/messages.ts";
import { can } from "./place/abilities.ts";
import { undoLast } from "./undo.ts";
import "./shell/shell.css";
import { useNow } from "./api.ts";
import { notifyInternalError } from "./components/outcomes/outcome.ts";

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
  useHotkeys([["mod+Z", undoUnlessWritten, { preventDefault: false }]], []);
  const { page, at } = usePlace();
  const { main, arrived } = useFocusOnArrival(page);
  const Page = pages.find(({ id }) => id === page)?.component;

  return (
    <div className="shell">
      <a className="skip-link" href="#page-title" onClick={skipToPage}>
        {t("manager.skipToPage")}
      </a>
      <NavigationRail page={page} />
      <ManagerHeader />
      <Box
        component="main"
        miw={0}
        mih={0}
        style={{ gridArea: "page" }}
        ref={main}
        aria-labelledby="page-title"
      >
        <Boundary key={page} sentence={t("manager.pageFailed")}>
          <Suspense>
            {Page ? <Page at={at} /> : null}
            <Arrival onArrived={arrived} />
          </Suspense>
        </Boundary>
      </Box>
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

const written =
  "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])";

/** In a text field, the keys undo what was typed; a switch or a select is not a text field. */
function undoUnlessWritten(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.matches(written)) return;
  event.preventDefault();
  undoLast().catch(notifyInternalError);
}

/** Announces a new page to screen readers by focusing its title; not on the first page. */
function useFocusOnArrival(page: string): {
  readonly main: React.RefObject<HTMLElement | null>;
  readonly arrived: () => void;
} {
  const main = useRef<HTMLElement>(null);
  const last = useRef(page);
  const arrived = useCallback(() => {
    if (last.current === page) return;
    last.current = page;
    if (main.current?.contains(document.activeElement)) return;
    document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [page]);
  return { main, arrived };
}

/** Beside a page that may have to be loaded first. */
function Arrival({ onArrived }: { readonly onArrived: () => void }): ReactNode {
  useEffect(onArrived, [onArrived]);
  return null;
}

function skipToPage(event: React.MouseEvent): void {
  // The hash is the manager's address.
  event.preventDefault();
  document.getElementById("page-title")?.focus();
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
