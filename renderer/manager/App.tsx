// Root component of the manager of a player.

import type { ReactNode } from "react";
import { AppFrame } from "./shell/AppFrame.tsx";
import { Shell } from "./shell/Shell.tsx";
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
