// A screen that its X server has blanked is found so and woken, on a real one.

import { describe, expect, it, onTestFinished } from "vitest";
import { createX11Waker } from "../../../electron/x11/x11-blanking.ts";
import { connectX11 } from "../../../electron/x11/x11-connection.ts";
import { blankScreen } from "../../support/screen/blanked-screen.ts";
import { openScreen } from "../../support/screen/screen.ts";

describe.runIf(process.platform === "linux")("[V2-262] a screen", () => {
  it("that is lit is left alone; one that the system blanked is woken once", async () => {
    const { display } = await openScreen(320, 180);
    const server = { xDisplay: display, xAuthority: undefined };
    // A server whose last client leaves begins anew, and hears nobody meanwhile.
    const stays = await connectX11(server);
    onTestFinished(() => stays.close());
    const { wake, close } = createX11Waker(server);
    onTestFinished(close);
    expect(await wake()).toBe(false);
    await blankScreen(server);
    expect(await wake()).toBe(true);
    expect(await wake()).toBe(false);
  });

  it("that is no X server's of this machine is nobody's to wake", async () => {
    const nowhere = { xDisplay: "elsewhere:0", xAuthority: undefined };
    await expect(createX11Waker(nowhere).wake()).rejects.toThrow(/no X server/);
  });
});
