// Requests to a real X server over a connection of our own: replies reach their requests, and a screen that cannot be read yields
// no image.

import { expect, it } from "vitest";
import type { Config } from "../../../electron/config.ts";
import {
  connectX11,
  getInputFocus,
  queryExtension,
  request,
} from "../../../electron/x11/x11-connection.ts";
import { createX11Eye } from "../../../electron/x11/x11-screen-reader.ts";
import { openScreen } from "../../support/screen/screen.ts";

/** Only Linux has an X server. */
const onX11 = it.runIf(process.platform === "linux");

const configFor = (display: string) =>
  ({ xDisplay: display }) as Partial<Config> as Config;

onX11(
  "[V2-610] returns to each of several concurrent requests its own replies",
  async () => {
    const screen = await openScreen(320, 180);
    const server = await connectX11(configFor(screen.display));
    const focus = request(getInputFocus, 0);
    const [focused, known, unknown] = await Promise.all([
      server.send([focus, focus, focus], 3),
      server.send([queryExtension("BIG-REQUESTS")], 1),
      server.send([queryExtension("NO-SUCH-THING")], 1),
    ]);
    expect(focused).toHaveLength(3);
    expect(known[0]?.[8]).toBe(1);
    expect(unknown[0]?.[8]).toBe(0);
    server.close();
  },
);

onX11(
  "[V2-610] does not answer a request with the error of an earlier one",
  async () => {
    const screen = await openScreen(320, 180);
    const server = await connectX11(configFor(screen.display));
    const noSuchWindow = Buffer.alloc(4, 0xee);
    await expect(
      server.send([request(14, 0, noSuchWindow)], 1),
    ).rejects.toThrow("rejected");
    await expect(server.send([request(getInputFocus, 0)], 1)).rejects.toThrow();
  },
);

onX11(
  "[V2-610] rejects where a screen that was readable cannot be read now, and returns null where it never could",
  async () => {
    const screen = await openScreen(320, 180);
    const eye = createX11Eye(configFor(screen.display));
    const place = { x: 0, y: 0, width: 320, height: 180 };
    const seen = await eye.lines(place, 3);
    expect(seen).toMatchObject({ width: 320, height: 3 });
    // Beyond the edge of the screen, as for a moment when it becomes smaller.
    await expect(eye.lines({ ...place, y: 100 }, 3)).rejects.toThrow(
      "rejected",
    );
    expect(await eye.lines(place, 3)).toMatchObject({ height: 3 });
    eye.close();
    const blind = createX11Eye(configFor(":64999"));
    expect(await blind.lines(place, 3)).toBeNull();
    blind.close();
  },
);
