// Dialogs and panels that cover a page, loaded when the page has time for it: nothing of the first page waits for them.

import {
  lazy,
  Suspense,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { withStyles } from "../pages/part-styles.ts";
import { whenIdle } from "../place/idle-time.ts";

export const CommandBar = later(
  withStyles(
    "CommandBar",
    async () => (await import("../commands/CommandBar.tsx")).CommandBar,
  ),
);
export const Takeover = later(
  withStyles(
    "Takeover",
    async () => (await import("../takeover/Takeover.tsx")).Takeover,
  ),
);
export const JobsTray = later(
  withStyles(
    "JobsTray",
    async () => (await import("../uploads/JobsTray.tsx")).JobsTray,
  ),
);
export const RejectedPageDialog = later(
  withStyles(
    "RejectedPageDialog",
    async () =>
      (await import("../uploads/RejectedPageDialog.tsx")).RejectedPageDialog,
  ),
);

/** Sets up the PC that the window is on. */
export function FirstRun(): ReactNode {
  return null;
}

/** What was opened before it is loaded opens then. */
function later(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazy(async () => ({ default: await load() }));
  return function Later(): ReactNode {
    const [isWanted, setIsWanted] = useState(false);
    useEffect(
      () =>
        whenIdle(() => {
          setIsWanted(true);
        }),
      [],
    );
    return isWanted ? (
      <Suspense>
        <Part />
      </Suspense>
    ) : null;
  };
}
