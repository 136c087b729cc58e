// The takeover's panel: choose what, hold to send; while something has the screen, what and how long still.

import { Drawer } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import type { ReactNode } from "react";
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
  return (
    <Drawer
      opened={isOpen}
      onClose={closeTakeover}
      // Turned round by the library where one reads from the right.
      position="right"
      size={460}
      title={texts.takeover.title}
      closeButtonProps={{ "aria-label": texts.desk.close, size: 36 }}
      transitionProps={{ duration: 120 }}
    >
      {takeover ? <Running takeover={takeover} /> : <Sending />}
    </Drawer>
  );
}
