// The manager of a content service, in a browser at its address (V3-140).

import { guardLeaving } from "../shell/leave-guard.ts";
import { mount } from "../shell/mount.tsx";
import { provideBridge } from "../transport/bridge.ts";
import { provideTransport } from "../transport/transport.ts";
import { serviceTransport } from "./service-transport.ts";
import { createScreensBridge } from "../service-requests/screens-bridge.ts";
import { ServiceApp } from "./ServiceApp.tsx";
import { watchInvitation } from "./sign-in/invitation-secret.ts";
import { watchPasswordLink } from "./sign-in/password-link-secret.ts";
import { watchSignInFailure } from "./sign-in/sign-in-failure.ts";

guardLeaving();
watchInvitation();
watchPasswordLink();
watchSignInFailure();
provideBridge(createScreensBridge());
provideTransport(serviceTransport);
mount(<ServiceApp />);
