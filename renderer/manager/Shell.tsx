// The frame around every page: where one can go, what is on the glass, the command bar and the takeover.

import { useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { CommandBar } from "./commands/CommandBar.tsx";
import { FirstRun } from "./first-run/FirstRun.tsx";
import { usePlayerEvents } from "./player-events.ts";
import { DropZone } from "./uploads/DropZone.tsx";
import { JobsTray } from "./uploads/JobsTray.tsx";
import { RejectedPageDialog } from "./uploads/RejectedPageDialog.tsx";
import { usePasteAnywhere } from "./uploads/paste.ts";
import { pages } from "./pages.ts";
import { Boundary } from "./parts/outcomes/Boundary.tsx";
import { goTo, usePlace, type PageId } from "./place.ts";
import { useFocusKept } from "./shell/focus-kept.ts";
import { usePressKept } from "./shell/press-kept.ts";
import { ManagerHeader } from "./shell/ManagerHeader.tsx";
import { Rail } from "./shell/Rail.tsx";
import { UndoDialog } from "./shell/UndoDialog.tsx";
import { Takeover } from "./takeover/Takeover.tsx";
import { useAnswer } from "./operations.ts";
import { formats, texts } from "./texts/texts.ts";
import { undoLast } from "./undo.ts";
import "./shell/shell.css";
import { useNow } from "./api.ts";

export function Shell(): ReactNode {
  usePlayerEvents();
  useScreensClock();
  usePasteAnywhere();
  useFocusKept();
  usePressKept();
  // From anywhere, fields too: in none of them do these keys mean anything.
  useHotkeys(
    pages.map(({ id, shortcut }) => [shortcut, () => leaveFor(id)]),
    [],
  );
  useHotkeys([["mod+Z", undoUnlessWritten, { preventDefault: false }]], []);
  const { page, at } = usePlace();
  const main = useFocusOnArrival(page);
  const Page = pages.find(({ id }) => id === page)?.component;

  return (
    <div className="shell">
      <a className="skip-link" href="#page-title" onClick={skipToPage}>
        {texts.manager.skipToPage}
      </a>
      <Rail page={page} />
      <ManagerHeader />
      <main className="shell-page" ref={main} aria-labelledby="page-title">
        <Boundary key={page} sentence={texts.manager.brokenPage}>
          {Page ? <Page at={at} /> : null}
        </Boundary>
      </main>
      <Takeover />
      <CommandBar />
      <FirstRun />
      <UndoDialog />
      <RejectedPageDialog />
      <JobsTray />
      <DropZone />
      <NowAloud />
    </div>
  );
}

/** What is typed is left as by a click elsewhere: its field saves it, or says why not. */
function leaveFor(page: PageId): void {
  const { activeElement: focused } = document;
  if (focused instanceof HTMLElement && focused.closest("main")) focused.blur();
  goTo(page);
}

/** Everything below is drawn anew with it, so that no page goes by another clock than its neighbour. */
function useScreensClock(): void {
  const zone = useAnswer("readSettings", {}).data?.["timezone"];
  if (typeof zone === "string") formats.goBy(zone);
}

const written =
  "textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])";

/** Where text is written, the keys take back what was typed; a switch or a choice is no such place. */
function undoUnlessWritten(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.matches(written)) return;
  event.preventDefault();
  void undoLast();
}

/** A new page is told to those who listen by the focus on its title; the first one is simply there. */
function useFocusOnArrival(page: string): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const last = useRef(page);
  useEffect(() => {
    if (last.current === page) return;
    last.current = page;
    if (main.current?.contains(document.activeElement)) return;
    document.getElementById("page-title")?.focus({ preventScroll: true });
  }, [page]);
  return main;
}

function skipToPage(event: React.MouseEvent): void {
  // The hash is the desk's address.
  event.preventDefault();
  document.getElementById("page-title")?.focus();
}

// Says each new slide to those who listen instead of looking; politely, so nothing is cut short.

function NowAloud(): ReactNode {
  const name = useNow().data?.showing?.name;
  return (
    <div aria-live="polite" className="only-aloud">
      {name === undefined ? "" : texts.now.nowShowing(name)}
    </div>
  );
}
