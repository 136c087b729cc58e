// The takeover panel: choose content, hold to start; while one is running, its content and remaining time.

import { Drawer } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { focusInstead } from "../components/focus/focus.ts";
import {
  closeTakeover,
  openTakeover,
  useIsTakeoverOpen,
} from "./open-takeover.ts";
import { Running } from "./RunningTakeover.tsx";
import { noDraft, Sending } from "./TakeoverForm.tsx";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";
import { t } from "../../locales/messages.ts";

export function Takeover(): ReactNode {
  useHotkeys([["mod+shift+E", openTakeover]], []);
  const isOpen = useIsTakeoverOpen();
  const takeover = useTakeover();
  const [isEditing, setIsEditing] = useState(false);
  // Outlives the panel: a text typed in a hurry is there again when the panel reopens.
  const [draft, setDraft] = useState(noDraft);
  const isComposing = isEditing || draft.chosen !== null;
  const isWriting = isEditing || draft.text !== "";
  const isRunning = Boolean(takeover);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The focused element may have disappeared with the takeover.
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
      // Edits in progress are only discarded by the button, never by accident.
      closeOnEscape={!isEditing}
      closeOnClickOutside={!isWriting}
      // Mirrored by the library in right-to-left layouts.
      position="right"
      size={460}
      title={t("takeover.title")}
      closeButtonProps={{ "aria-label": t("manager.close"), size: 36 }}
      transitionProps={{ duration: 120 }}
    >
      <div ref={panel} className="takeover-panel">
        {takeover ? (
          <Running takeover={takeover} isAlone={!isComposing} />
        ) : null}
        {/* Kept while a takeover is running: one may start and end while the operator is choosing or typing. */}
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
