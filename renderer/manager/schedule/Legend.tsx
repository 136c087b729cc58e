// What the lanes' patterns mean, and how a time is drawn.

import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";

export function Legend(): ReactNode {
  const { legend, drawHint } = texts.schedule;
  return (
    <div className="legend quiet">
      {(["plays", "loses", "cannot"] as const).map((state) => (
        <span key={state}>
          <i className="stretch" data-state={state} aria-hidden />
          {legend[state]}
        </span>
      ))}
      <span className="legend-hint">{drawHint}</span>
    </div>
  );
}
