// Dialogs and panels that cover a page, loaded when the page has time for it: nothing of the first page waits for them.

import {
  Suspense,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { lazyPart } from "../pages/lazy-part.ts";
import { whenIdle } from "../place/idle-time.ts";

export const CommandBar = later(
  async () => (await import("../commands/CommandBar.tsx")).CommandBar,
);
export const Takeover = later(
  async () => (await import("../takeover/Takeover.tsx")).Takeover,
);
export const JobsTray = later(
  async () => (await import("../uploads/JobsTray.tsx")).JobsTray,
);
export const RejectedPageDialog = later(
  async () =>
    (await import("../uploads/RejectedPageDialog.tsx")).RejectedPageDialog,
);

/** Sets up the PC that the window is on. */
export function FirstRun(): ReactNode {
  return null;
}

/** What was opened before it is loaded opens then. */
function later(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazyPart(load);
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
