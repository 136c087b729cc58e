// The last frame of a window, kept by a real X server: behind what is drawn, over it, and gone with the showing.

import { expect, it } from "vitest";
import {
  connectX11,
  getInputFocus,
  request,
  type X11Connection,
} from "../../../electron/x11/x11-connection.ts";
import { createX11LastFrame } from "../../../electron/x11/x11-last-frame.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { openScreen } from "../../support/screen/screen.ts";

/** Only Linux has an X server. */
const onX11 = it.runIf(process.platform === "linux");
const [red, blue] = [0xff_00_00, 0x00_00_ff];
const size = (200 << 16) | 300;

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at));
  return bytes;
};

/** A window with another in it that draws its content, as the graphics process does. */
async function openWindows() {
  const screen = await openScreen(320, 240);
  const config = { xDisplay: screen.display, xAuthority: undefined };
  const server = await connectX11(config);
  afterThisTest(async () => server.close());
  const { root, idBase } = server.setup;
  const [outer, drawn] = [idBase + 1, idBase + 2];
  const open = (id: number, parent: number, colour: number) => [
    request(1, 0, words(id, parent, 0, size, 1 << 16, 0, 2, colour)),
    request(8, 0, words(id)),
  ];
  await settle(server, [...open(outer, root, 0), ...open(drawn, outer, red)]);
  const frame = createX11LastFrame(config, () => outer);
  afterThisTest(async () => frame.close());
  const draw = (colour: number) =>
    settle(server, [
      request(2, 0, words(drawn, 2, colour)),
      request(61, 0, words(drawn, 0, size)),
    ]);
  const colour = async (): Promise<number> => {
    const place = words(root, (90 << 16) | 100, (1 << 16) | 1, 0xffffffff);
    const [answer] = await server.send([request(73, 2, place)], 1);
    return (answer?.readUInt32LE(32) ?? 0) & 0xff_ff_ff;
  };
  return { server, frame, drawn, draw, colour };
}

async function settle(server: X11Connection, requests: readonly Buffer[]) {
  await server.send([...requests, request(getInputFocus, 0)], 1);
}

onX11(
  "[V2-702] is the window's background once what draws in the window is gone, until it is forgotten",
  async () => {
    const { server, frame, drawn, draw, colour } = await openWindows();
    await frame.keep();
    await draw(blue);
    expect(await colour()).toBe(blue);
    // Destroyed with the connection of its process.
    await settle(server, [request(4, 0, words(drawn))]);
    expect(await colour()).toBe(red);
    await frame.forget();
    expect(await frame.cover()).toBe(false);
  },
);

onX11(
  "[V2-702] lies over whatever is drawn meanwhile, and is removed without a trace",
  async () => {
    const { frame, draw, colour } = await openWindows();
    expect(await frame.cover()).toBe(false);
    await frame.keep();
    await draw(blue);
    await frame.keep();
    await draw(0);
    expect(await frame.cover()).toBe(true);
    expect(await frame.cover()).toBe(true);
    expect(await colour()).toBe(blue);
    await draw(red);
    expect(await colour()).toBe(blue);
    await frame.uncover();
    await draw(red);
    expect(await colour()).toBe(red);
  },
);

onX11(
  "[V2-702] of a window that is gone, or without an X server, is none, and nothing fails",
  async () => {
    const { server, frame } = await openWindows();
    await frame.keep();
    await settle(server, [request(4, 0, words(server.setup.idBase + 1))]);
    await frame.keep();
    expect(await frame.cover()).toBe(false);
    const nowhere = createX11LastFrame(
      { xDisplay: ":59999", xAuthority: undefined },
      () => 1,
    );
    await nowhere.keep();
    expect(await nowhere.cover()).toBe(false);
    await nowhere.uncover();
  },
);
