// Note on pages about schedules that a takeover currently covers the screen.

import { IconUrgent } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTakeover } from "./use-takeover.ts";
import "./takeover.css";
import { t } from "../../locales/messages.ts";
import { formats } from "../../locales/language.ts";

export function TakeoverNote(): ReactNode {
  const takeover = useTakeover();
  if (!takeover) return null;
  return (
    <p className="takeover-note" role="status">
      <IconUrgent size={18} stroke={1.75} aria-hidden />
      <span>
        {t("takeover.covers", {
          time: formats.clock(Date.parse(takeover.started)),
        })}
      </span>
    </p>
  );
}
