// Root component of the manager of a player.

import type { ReactNode } from "react";
import { AppFrame } from "./AppFrame.tsx";
import { Shell } from "./Shell.tsx";
import { SignInGate } from "./session/SignInGate.tsx";

export function App(): ReactNode {
  return (
    <AppFrame>
      <SignInGate>
        <Shell />
      </SignInGate>
    </AppFrame>
  );
}
