// The manager of a player: in its window, and in a browser at its address.

import { mount } from "./mount.tsx";
import { App } from "./App.tsx";
import { guardLeaving } from "./leave-guard.ts";
import { watchPhoneCode } from "./session/phone-code.ts";

guardLeaving();
watchPhoneCode();
mount(<App />);
