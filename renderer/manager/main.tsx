// The manager of a player: in its window, and in a browser at its address.

import { mount } from "./shell/mount.tsx";
import { App } from "./App.tsx";
import { guardLeaving } from "./shell/leave-guard.ts";
import { watchPhoneCode } from "./session/phone-code.ts";

guardLeaving();
watchPhoneCode();
mount(<App />);
