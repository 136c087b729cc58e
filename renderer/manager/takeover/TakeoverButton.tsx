// The takeover, always at hand: opens the ready messages, or gives the screen back.

import { IconUrgent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formats, texts } from "../texts/texts.ts";
import { openTakeover } from "./open.ts";
import { useEndTakeover } from "./use-end-takeover.ts";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";

export function TakeoverButton(): ReactNode {
  const takeover = useTakeover();
  const end = useEndTakeover();
  const isOn = takeover != null;
  const words = isOn ? texts.takeover.end : texts.takeover.open;
  return (
    <button
      type="button"
      className="takeover-button"
      data-on={isOn}
      aria-label={words}
      title={isOn ? words : `${words} (${formats.keys("Ctrl+Shift+E")})`}
      aria-keyshortcuts={isOn ? undefined : "Control+Shift+E"}
      onClick={() => {
        if (isOn) void end();
        else openTakeover();
      }}
    >
      <IconUrgent size={20} stroke={1.75} aria-hidden />
      <span>{words}</span>
    </button>
  );
}
