// The virtual screen of a machine without one is this user's alone.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openVirtualScreen } from "../../build/start/virtual-screen.ts";
import { connectX11 } from "../../electron/x11/x11-connection.ts";
import { temporaryFolder } from "../support/folder.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe.runIf(process.platform === "linux")("the virtual screen", () => {
  it("admits only holders of its cookie, keeps the cookie in a file that only this user can read, and deletes it on exit", async () => {
    const screen = await openVirtualScreen({ stays: true });
    onTestFinished(screen.close);
    const { display, authority } = screen;
    expect(modeOf(authority)).toBe(0o600);
    expect(modeOf(path.dirname(authority))).toBe(0o700);

    const ours = await connectX11({ xDisplay: display, xAuthority: authority });
    ours.close();
    const none = path.join(await temporaryFolder(), "none");
    await expect(
      connectX11({ xDisplay: display, xAuthority: none }),
    ).rejects.toThrow("the X server refused the connection");

    screen.close();
    expect(existsSync(path.dirname(authority))).toBe(false);
  });
});
