// Black before the first paint: on X11 a new window is white until Chromium has painted, unless the X server is told otherwise.

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { BaseWindow } from "electron";
import type { Config } from "./config.ts";

/** A server of this machine answers at once; without an answer the window is shown as it is. */
const patienceMs = 300;
const cookieName = "MIT-MAGIC-COOKIE-1";

/**
 * Gives a window not yet visible a black ground. Electron's background colour is what Chromium paints, which comes
 * later; what the server fills in first is the desktop theme's colour, and only the X protocol can change that.
 */
export async function blackenGround(
  window: BaseWindow,
  { xDisplay, xAuthority }: Config,
): Promise<void> {
  const number = /^(?:unix)?:(\d+)/.exec(xDisplay ?? "")?.[1];
  if (process.platform !== "linux" || number === undefined) return;
  const windowId = window.getNativeWindowHandle().readUInt32LE(0);
  const socket = connect(`/tmp/.X11-unix/X${number}`);
  try {
    await changeGround(socket, windowId, cookieFor(number, xAuthority));
  } catch {
    // No X server here, or not one for us: a white moment at the start is all that is lost.
  } finally {
    socket.destroy();
  }
}

function changeGround(
  socket: Socket,
  windowId: number,
  cookie: Buffer,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    let isWelcome = false;
    socket.setTimeout(patienceMs, () => reject(new Error("no answer")));
    socket.on("error", reject);
    socket.on("connect", () => socket.write(greeting(cookie)));
    socket.on("data", (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (isWelcome) return resolve();
      if (answer.length < 8) return;
      if (answer[0] !== 1) return reject(new Error("refused"));
      if (answer.length < 8 + answer.readUInt16LE(6) * 4) return;
      isWelcome = true;
      socket.write(blackGround(windowId));
    });
  });
}

/** The connection setup of protocol 11.0, little-endian. */
function greeting(cookie: Buffer): Buffer {
  const name = Buffer.from(cookie.length > 0 ? cookieName : "");
  const head = Buffer.alloc(12);
  head.write("l");
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(name.length, 6);
  head.writeUInt16LE(cookie.length, 8);
  return Buffer.concat([head, padded(name), padded(cookie)]);
}

/** ChangeWindowAttributes with a background pixel of 0; then GetInputFocus, whose answer says that it is done. */
function blackGround(windowId: number): Buffer {
  const request = Buffer.alloc(20);
  request.writeUInt8(2, 0);
  request.writeUInt16LE(4, 2);
  request.writeUInt32LE(windowId, 4);
  request.writeUInt32LE(2, 8);
  request.writeUInt32LE(0, 12);
  request.writeUInt8(43, 16);
  request.writeUInt16LE(1, 18);
  return request;
}

/** What this user may show the server; empty where it asks for nothing. */
function cookieFor(number: string, file: string | undefined): Buffer {
  let rest: Buffer;
  try {
    rest = readFileSync(file ?? join(homedir(), ".Xauthority"));
  } catch {
    return Buffer.alloc(0);
  }
  const take = (): Buffer => {
    const length = rest.readUInt16BE(0);
    const field = rest.subarray(2, 2 + length);
    rest = rest.subarray(2 + length);
    return field;
  };
  while (rest.length > 10) {
    rest = rest.subarray(2);
    const [, display, name, cookie] = [take(), take(), take(), take()];
    const isFor = display.length === 0 || display.toString() === number;
    if (isFor && name.toString() === cookieName) return cookie;
  }
  return Buffer.alloc(0);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
