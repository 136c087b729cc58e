// Notifications to systemd (sd_notify), received on a real datagram socket, as systemd's is one.

import { describe, expect, it, onTestFinished } from "vitest";
import { createServiceNotify } from "../../../electron/lifecycle/service-notify.ts";
import { openServiceSocket } from "../../support/machine/service-socket.ts";

describe.runIf(process.platform === "linux")("systemd", () => {
  it.each([
    ["on a path", undefined],
    ["on an abstract name", `@vitrine-test-${process.pid}`],
  ])("receives each message once and in order, %s", async (_where, name) => {
    const socket = await openServiceSocket(name);
    const notify = createServiceNotify(socket.address);
    onTestFinished(() => notify.stop());
    notify.notify("WATCHDOG=1");
    notify.notify("READY=1", "STATUS=API http://127.0.0.1:8080");
    notify.notify("STOPPING=1");
    await socket.until((message) => message === "STOPPING=1");
    expect(socket.received.map(({ message }) => message)).toEqual([
      "WATCHDOG=1",
      "READY=1 STATUS=API http://127.0.0.1:8080",
      "STOPPING=1",
    ]);
  });

  it("receives the last message of a player that ends at once", async () => {
    const socket = await openServiceSocket();
    const notify = createServiceNotify(socket.address);
    notify.notify("STOPPING=1");
    notify.stop();
    await socket.until((message) => message === "STOPPING=1");
    expect(socket.received).toHaveLength(1);
  });
});
