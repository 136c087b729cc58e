// Detects and wakes a screen that its X server has blanked, on a real server.

import { describe, expect, it, onTestFinished } from "vitest";
import { createX11Waker } from "../../../electron/x11/x11-blanking.ts";
import { connectX11 } from "../../../electron/x11/x11-connection.ts";
import { blankScreen } from "../../support/screen/blanked-screen.ts";
import { openScreen } from "../../support/screen/screen.ts";

describe.runIf(process.platform === "linux")("[V2-262] a screen", () => {
  it("that is lit is left alone; one that the system blanked is woken once", async () => {
    const { display } = await openScreen(320, 180);
    const server = { xDisplay: display, xAuthority: undefined };
    // A server whose last client disconnects resets itself, and answers nobody meanwhile.
    const stays = await connectX11(server);
    onTestFinished(() => stays.close());
    const { wake, close } = createX11Waker(server);
    onTestFinished(close);
    expect(await wake()).toBe(false);
    await blankScreen(server);
    expect(await wake()).toBe(true);
    expect(await wake()).toBe(false);
  });

  it("that belongs to no X server on this machine cannot be woken", async () => {
    const nowhere = { xDisplay: "elsewhere:0", xAuthority: undefined };
    await expect(createX11Waker(nowhere).wake()).rejects.toThrow(/no X server/);
  });
});
