// The takeover's panel: choose what, hold to send; while something has the screen, what and how long still.

import { Drawer } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { focusInstead } from "../parts/focus/focus.ts";
import { texts } from "../texts/texts.ts";
import { closeTakeover, openTakeover, useIsTakeoverOpen } from "./open.ts";
import { Running } from "./Running.tsx";
import { noDraft, Sending } from "./Sending.tsx";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";

export function Takeover(): ReactNode {
  useHotkeys([["mod+shift+E", openTakeover]], []);
  const isOpen = useIsTakeoverOpen();
  const takeover = useTakeover();
  const [isEditing, setIsEditing] = useState(false);
  // Outlives the panel: a text that was typed in a hurry is there again when the panel is.
  const [draft, setDraft] = useState(noDraft);
  const isComposing = isEditing || draft.chosen !== null;
  const isWriting = isEditing || draft.text !== "";
  const isRunning = Boolean(takeover);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the focus may have gone with the takeover.
    if (!isRunning && panel.current)
      focusInstead(
        panel.current,
        "input[type=radio]:checked",
        "input[type=radio]",
      );
  }, [isRunning]);
  return (
    <Drawer
      opened={isOpen}
      onClose={() => {
        setIsEditing(false);
        setDraft({ ...noDraft, text: draft.text });
        closeTakeover();
      }}
      // What is being written goes by the button alone, never by a slip.
      closeOnEscape={!isEditing}
      closeOnClickOutside={!isWriting}
      // Turned round by the library where one reads from the right.
      position="right"
      size={460}
      title={texts.takeover.title}
      closeButtonProps={{ "aria-label": texts.manager.close, size: 36 }}
      transitionProps={{ duration: 120 }}
    >
      <div ref={panel} className="takeover-panel">
        {takeover ? (
          <Running takeover={takeover} isAlone={!isComposing} />
        ) : null}
        {/* Kept while something has the screen: it may begin and end while somebody chooses or writes. */}
        <div hidden={isRunning && !isComposing}>
          <Sending
            {...{ isEditing, isRunning, draft }}
            onEdit={setIsEditing}
            onDraft={setDraft}
          />
        </div>
      </div>
    </Drawer>
  );
}
