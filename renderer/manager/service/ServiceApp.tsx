// Root component of the manager of a content service.

import type { ReactNode } from "react";
import { AppFrame } from "../shell/AppFrame.tsx";
import { ServiceShell } from "./ServiceShell.tsx";
import { PersonGate } from "./sign-in/PersonGate.tsx";

export function ServiceApp(): ReactNode {
  return (
    <AppFrame>
      <PersonGate>
        <ServiceShell />
      </PersonGate>
    </AppFrame>
  );
}
