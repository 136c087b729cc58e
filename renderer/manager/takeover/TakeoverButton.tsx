// The takeover button in the header: opens the panel, whether to start one or to stop it.

import { IconUrgent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formats } from "../../locales/language.ts";
import { openTakeover } from "./open-takeover.ts";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";
import { t } from "../../locales/messages.ts";

export function TakeoverButton(): ReactNode {
  const takeover = useTakeover();
  const isOn = takeover != null;
  const words = isOn ? t("takeover.isOn") : t("takeover.open");
  return (
    <button
      type="button"
      className="framed-button takeover-button"
      data-on={isOn}
      aria-label={words}
      title={`${words} (${formats.keys("Ctrl+Shift+E")})`}
      aria-keyshortcuts="Control+Shift+E"
      // It never stops one itself: one may start elsewhere while this has the focus or the pointer.
      onClick={openTakeover}
    >
      <IconUrgent size={20} stroke={1.75} aria-hidden />
      <span>{words}</span>
    </button>
  );
}
