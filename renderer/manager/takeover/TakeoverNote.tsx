// Note on pages about schedules that a takeover currently covers the screen.

import type { ReactNode } from "react";
import { useTakeover } from "./use-takeover.ts";
import { TakeoverBanner } from "./TakeoverBanner.tsx";
import { t } from "../../locales/messages.ts";
import { formats } from "../../locales/language.ts";

export function TakeoverNote(): ReactNode {
  const takeover = useTakeover();
  if (!takeover) return null;
  return (
    <TakeoverBanner>
      {t("takeover.covers", {
        time: formats.clock(Date.parse(takeover.started)),
      })}
    </TakeoverBanner>
  );
}
