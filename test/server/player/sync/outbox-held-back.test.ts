// A label that the content service holds back isn't taken for one that is there already.

import { expect, it } from "vitest";
import { RemoteRejection } from "../../../../server/player/sync/outbox/remote-writer.ts";
import { createWriterV4 } from "../../../../server/player/sync/outbox/writer-v4.ts";
import type { Send } from "../../../../server/player/sync/remote/send-http.ts";

const serviceThatAnswers =
  (code: string): Send =>
  (method) =>
    Promise.resolve(
      method === "GET"
        ? { status: 200, json: [], headers: {} }
        : {
            status: 409,
            json: { code, message: "This change would break “No beer”." },
            headers: {},
          },
    );

const addLabel = (code: string): Promise<boolean> =>
  createWriterV4(serviceThatAnswers(code), "", "v4.1").write(
    ...(["playlists", "P1", { labels: ["L1"] }] as const),
  );

it("[V3-107] reports a label that is held back, and accepts one that exists", async () => {
  const held = addLabel("P0001");
  await expect(held).rejects.toThrow(RemoteRejection);
  await expect(held).rejects.toThrow("This change would break “No beer”.");
  expect(await addLabel("23505")).toBe(true);
});
