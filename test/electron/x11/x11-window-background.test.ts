// The black background of a new window: requested from a busy X server, and waited for.

import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { connectX11 } from "../../../electron/x11/x11-connection.ts";
import { blackenGround } from "../../../electron/x11/x11-window-background.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { openScreen } from "../../support/screen/screen.ts";

/** Only Linux has an X server. */
const onX11 = it.runIf(process.platform === "linux");

type Ground = Parameters<typeof blackenGround>[0];
type Config = Parameters<typeof blackenGround>[1];

afterEach(() => {
  vi.useRealTimers();
});

/** A display whose server delays each reply until it is released. */
async function busyServer(display: string) {
  const real = Number(display.slice(1));
  const own = real + 10_000;
  const path = `/tmp/.X11-unix/X${own}`;
  const sockets: Socket[] = [];
  const held: (() => void)[] = [];
  let answered = (): void => undefined;
  let isFree = false;
  const server = createServer((client) => {
    const upstream = connect(`/tmp/.X11-unix/X${real}`);
    for (const socket of [client, upstream]) {
      sockets.push(socket);
      // Either may be reset: the client notices the end of its own connection.
      socket.on("error", () => client.destroy());
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      if (isFree) return void client.write(chunk);
      held.push(() => client.write(chunk));
      answered();
    });
  });
  server.listen(path);
  await once(server, "listening");
  afterThisTest(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(path, { force: true });
  });
  return {
    display: `:${own}`,
    /** Delays nothing any more: a reply may arrive in pieces. */
    free: (): void => {
      isFree = true;
      for (const letGo of held.splice(0)) letGo();
    },
    /** Resolves once a reply is being held back. */
    nextAnswer: async (): Promise<() => void> => {
      for (;;) {
        const letGo = held.shift();
        if (letGo) return letGo;
        await new Promise<void>((resolve) => (answered = resolve));
      }
    },
  };
}

onX11(
  "[V2-603] keeps a new window hidden until the X server has confirmed its black background, however long that takes",
  async () => {
    const screen = await openScreen(320, 180);
    const plain = { xDisplay: screen.display } as Partial<Config> as Config;
    const { setup, close } = await connectX11(plain);
    close();
    const window: Pick<Ground, "getNativeWindowHandle"> = {
      getNativeWindowHandle: () => {
        const handle = Buffer.alloc(4);
        handle.writeUInt32LE(setup.root);
        return handle;
      },
    };
    const server = await busyServer(screen.display);
    // Not before the screen is open: that is waited for in real time.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const busy = { ...plain, xDisplay: server.display };
    let isBlack = false;
    const done = blackenGround(window as Ground, busy).then(() => {
      isBlack = true;
    });
    for (let answer = 0; answer < 2; answer += 1) {
      const letGo = await server.nextAnswer();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(isBlack).toBe(false);
      letGo();
    }
    server.free();
    await done;
  },
);
