// A real player that somebody looks at through its service, and whose logs are collected.

import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { screenLiveV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { systemClock } from "../../../../server/platform/clock.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";
import { claimed } from "../../../support/sync/pairing.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";

const startService = oneService();

it("[L-66] [L-67] [L-71] its picture arrives while somebody looks, and its logs when they are asked for", async () => {
  const service = await startService();
  let taken = 0;
  const bundle = gzipSync("logs");
  const running = await startFullSync({
    clock: systemClock,
    actions: {
      livePicture: async () => {
        taken += 1;
        const mark = `picture ${Math.ceil(taken / 2)}`;
        return { mark, encode: async () => Buffer.from(`RIFF0000WEBP${mark}`) };
      },
      collectLogs: async () => bundle,
    },
  });
  const { screenId } = await claimed(running, service.address, service.v3);
  expect(taken).toBe(0);
  const look = async () =>
    screenLiveV3.parse(
      await service.v3.make(`/screens/${screenId}/watch/`, {}),
    );
  const pictureIn = async () =>
    Buffer.from(
      (await look()).picture?.split(",")[1] ?? "",
      "base64",
    ).toString();
  await expect.poll(pictureIn, pollOptions).toContain("picture 1");
  await expect.poll(pictureIn, pollOptions).toContain("picture 2");

  const { id } = await service.v3.make(`/screens/${screenId}/commands/`, {
    kind: "collect-logs",
  });
  await vi.waitUntil(async () => {
    const [command] = (await service.v3.get(`/screens/commands/?id=${id}`)) as [
      { readonly state: string },
    ];
    return command.state === "done";
  }, pollOptions);
  const answer = await service.v3.request(
    `/api/v3/screens/commands/${id}/bundle/`,
  );
  expect(Buffer.from(await answer.arrayBuffer()).equals(bundle)).toBe(true);
});
