// The takeover's panel: choose what, hold to send; while something has the screen, what and how long still.

import { Drawer } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { closeTakeover, openTakeover, useIsTakeoverOpen } from "./open.ts";
import { Running } from "./Running.tsx";
import { Sending } from "./Sending.tsx";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";

export function Takeover(): ReactNode {
  useHotkeys([["mod+shift+E", openTakeover]], []);
  const isOpen = useIsTakeoverOpen();
  const takeover = useTakeover();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <Drawer
      opened={isOpen}
      onClose={() => {
        setIsEditing(false);
        closeTakeover();
      }}
      // What is being written goes by the button alone, never by a slip.
      closeOnEscape={!isEditing}
      closeOnClickOutside={!isEditing}
      // Turned round by the library where one reads from the right.
      position="right"
      size={460}
      title={texts.takeover.title}
      closeButtonProps={{ "aria-label": texts.desk.close, size: 36 }}
      transitionProps={{ duration: 120 }}
    >
      {takeover ? (
        <Running takeover={takeover} takesFocus={!isEditing} />
      ) : null}
      {/* Kept while something has the screen: it may begin and end while somebody writes. */}
      <div hidden={Boolean(takeover) && !isEditing}>
        <Sending isEditing={isEditing} onEdit={setIsEditing} />
      </div>
    </Drawer>
  );
}
