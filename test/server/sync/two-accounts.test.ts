// Two accounts of one player: what one does with files is no harm to the other.

import { describe, expect, it } from "vitest";
import { plainAccount } from "../../../server/core/sync-state.ts";
import {
  cloudPicture,
  md5Of,
  serveFaultyCloud,
  type Answer,
  type FaultyCloud,
} from "../../support/faulty-cloud.ts";
import { startSync, type RunningSync } from "../../support/start-sync.ts";

const megabyte = 1024 * 1024;
const large = cloudPicture("large", [7, 7, 7], 3 * megabyte);
const bytes = large.bytes as Buffer;

/** The first megabyte at once, and the rest when it is told to. */
function inTwoParts(): { readonly answer: Answer; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const told = new Promise<void>((resolve) => (goOn = resolve));
  return {
    answer: (_request, response) => {
      response.writeHead(200, {
        ...{ ETag: `"${md5Of(bytes)}"`, "Content-Length": bytes.length },
      });
      response.write(bytes.subarray(0, megabyte));
      void told.then(() => response.end(bytes.subarray(megabyte)));
    },
    goOn: () => goOn(),
  };
}

async function follow(
  { sync }: RunningSync,
  { address: baseUrl }: FaultyCloud,
): Promise<string> {
  const wish = { ...plainAccount, name: "Cloud", baseUrl, pollSeconds: 3600 };
  return (await sync.addAccount(wish, "a-token")).id;
}

describe("two accounts that want the same file", () => {
  it("[fault 16] never write into each other's bytes: it is fetched once, and whole", async () => {
    const clouds = [
      await serveFaultyCloud(),
      await serveFaultyCloud(),
    ] as const;
    const [one, other] = clouds;
    const parts = [inTwoParts(), inTwoParts()] as const;
    for (const [place, cloud] of clouds.entries()) {
      cloud.playlists = [{ id: "P1", assets: [large] }];
      cloud.files.set("large", parts[place as 0 | 1].answer);
    }
    const running = await startSync();
    await follow(running, one);
    await running.until(({ progress }) => progress.receivedBytes > 0);
    const second = await follow(running, other);
    await running.until(
      ({ accountId, phase }) => accountId === second && phase === "fetching",
    );
    for (const { goOn } of parts) goOn();
    await expect
      .poll(() => running.sync.status().map(({ isInSync }) => isInSync))
      .toEqual([true, true]);
    expect(one.filesAsked("large").length).toBe(1);
    expect(other.filesAsked("large").length).toBe(0);
    const assets = await running.list();
    expect(assets.map(({ name }) => name)).toEqual(["large", "large-1"]);
    for (const { asset_id: id } of assets) {
      const answer = await running.ask(`/assets/${id}/content`);
      const { content } = (await answer.json()) as { content: string };
      expect(md5Of(Buffer.from(content, "base64"))).toBe(md5Of(bytes));
    }
  });
});
