// The manager of a player: in its window, and in a browser at its address.

import { AppFrame } from "./shell/AppFrame.tsx";
import { mount } from "./shell/mount.tsx";
import { Shell } from "./shell/Shell.tsx";
import { SignInGate } from "./session/SignInGate.tsx";
import { guardLeaving } from "./shell/leave-guard.ts";
import { watchPhoneCode } from "./session/phone-code.ts";

guardLeaving();
watchPhoneCode();
mount(
  <AppFrame>
    <SignInGate>
      <Shell />
    </SignInGate>
  </AppFrame>,
);
