// Two connections of one player: what one does with files does not harm the other.

import { readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { connectionDefaults } from "../../../../server/core/sync-plan/sync-state.ts";
import {
  cloudImage,
  md5Of,
  sendBeginning,
  serveFaultyCloud,
  type Answer,
  type FaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  startSync,
  type RunningSync,
} from "../../../support/sync/start-sync.ts";
import { hurried } from "../../../support/sync/synced-player.ts";

const megabyte = 1024 * 1024;
const large = cloudImage("large", [7, 7, 7], 3 * megabyte);
const bytes = large.bytes as Buffer;
const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];
const dayMs = 24 * 3_600_000;
/** Waiting for the test is not taken for an unresponsive server, however long it takes. */
const silenceMs = 60_000;

/** The first megabyte at once, and the rest when released. */
function inTwoParts(): { readonly answer: Answer; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const released = new Promise<void>((resolve) => (goOn = resolve));
  return {
    answer: (_request, response) => {
      response.writeHead(200, {
        ...{ ETag: `"${md5Of(bytes)}"`, "Content-Length": bytes.length },
      });
      response.write(bytes.subarray(0, megabyte));
      void released.then(() => response.end(bytes.subarray(megabyte)));
    },
    goOn: () => goOn(),
  };
}

async function follow(
  { sync }: RunningSync,
  { address: baseUrl }: FaultyCloud,
): Promise<string> {
  const connection = {
    ...connectionDefaults,
    name: "Cloud",
    baseUrl,
    pollSeconds: 3600,
  };
  return (await sync.addConnection(connection, "a-token")).id;
}

describe("two connections that want the same file", () => {
  it("[fault 16] never write into each other's bytes: it is downloaded once, and completely", async () => {
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
    const running = await startSync({ sync: { silenceMs } });
    await follow(running, one);
    await running.until(({ progress }) => progress.receivedBytes > 0);
    const second = await follow(running, other);
    await running.until(
      ({ connectionId, phase }) =>
        connectionId === second && phase === "downloading",
    );
    for (const { goOn } of parts) goOn();
    await expect
      .poll(() => running.sync.status().map(({ isInSync }) => isInSync))
      .toEqual([true, true]);
    expect(one.fileRequests("large").length).toBe(1);
    expect(other.fileRequests("large").length).toBe(0);
    const assets = await running.list();
    expect(assets.map(({ name }) => name)).toEqual(["large", "large-1"]);
    for (const { asset_id: id } of assets) {
      const answer = await running.request(`/assets/${id}/content`);
      const { content } = (await answer.json()) as { content: string };
      expect(md5Of(Buffer.from(content, "base64"))).toBe(md5Of(bytes));
    }
  });
});

interface Awaiting {
  readonly running: RunningSync;
  readonly other: FaultyCloud;
  /** The connection to the unreachable service. */
  readonly second: string;
  /** MD5 of each file that is partially downloaded. */
  parts(): Promise<readonly string[]>;
}

/**
 * One has applied something, while the other's service has been unreachable since the start, with a file and a third of a playlist
 * downloaded.
 */
async function startAwaiting(laterByMs = 0): Promise<Awaiting> {
  const dataDir = await temporaryFolder();
  const one = await serveFaultyCloud();
  const other = await serveFaultyCloud();
  one.playlists = [{ id: "P1", assets: [red] }];
  other.playlists = [{ id: "P1", assets: [green, large] }];
  other.files.set("large", (request, response) =>
    sendBeginning(request, response, bytes, megabyte, "silence"),
  );
  const before = await startSync({
    player: { dataDir },
    sync: { clock: hurried, silenceMs },
  });
  const first = await before.connect({ baseUrl: one.address });
  const second = await follow(before, other);
  await before.until(
    ({ progress: { filesDone, receivedBytes } }) =>
      filesDone === 1 && receivedBytes > megabyte,
  );
  await before.stopSync();
  await before.player.stop();
  await other.goAway();
  one.playlists = [{ id: "P1", assets: [red, blue] }];
  const clock = { ...hurried, now: () => hurried.now() + laterByMs };
  const running = await startSync({
    player: { dataDir },
    sync: { clock, silenceMs },
  });
  await running.until(
    ({ connectionId, isInSync }) => connectionId === first && isInSync === true,
  );
  await running.until(
    ({ connectionId, problem }) => connectionId === second && problem !== null,
  );
  other.files.clear();
  const folder = path.join(dataDir, "sync", "parts");
  const parts = async (): Promise<readonly string[]> => [
    ...new Set((await readdir(folder)).map((name) => name.slice(0, 32))),
  ];
  return { running, other, second, parts };
}

async function rest({ running, second }: Awaiting): Promise<void> {
  running.sync.run(second);
  await running.until(
    ({ connectionId, isInSync }) =>
      connectionId === second && isInSync === true,
  );
}

describe("[V2-345] a restart while one connection's service is unreachable", () => {
  it("keeps what was downloaded for it, and the download resumes", async () => {
    const awaiting = await startAwaiting();
    const { other } = awaiting;
    await other.comeBack();
    await rest(awaiting);
    expect(other.fileRequests("green").length).toBe(1);
    expect(
      other.fileRequests("large").map(({ headers }) => headers.range),
    ).toEqual([undefined, `bytes=${megabyte}-`]);
  });

  it("keeps it until every service has answered, and nothing unneeded after that", async () => {
    const awaiting = await startAwaiting();
    const { other, parts } = awaiting;
    expect(await parts()).toEqual([md5Of(bytes)]);
    await other.comeBack();
    other.playlists = [];
    await rest(awaiting);
    await expect.poll(parts).toEqual([]);
    const { library } = awaiting.running.player.forSync;
    expect(library.hasFile(md5Of(green.bytes as Buffer))).toBe(false);
    expect(library.hasFile(md5Of(blue.bytes as Buffer))).toBe(true);
  });

  it("does not wait for a service that has been silent for a month", async () => {
    const { parts } = await startAwaiting(31 * dayMs);
    await expect.poll(parts).toEqual([]);
  });
});

describe("[V2-834] files that no plan names", () => {
  it("are deleted once no connection is enabled", async () => {
    const { running, parts } = await startAwaiting();
    for (const { id } of running.sync.connections()) {
      expect(await parts()).toEqual([md5Of(bytes)]);
      await running.sync.changeConnection(id, { isEnabled: false });
    }
    await expect.poll(parts).toEqual([]);
    const { library } = running.player.forSync;
    expect(library.hasFile(md5Of(green.bytes as Buffer))).toBe(false);
    expect(library.hasFile(md5Of(blue.bytes as Buffer))).toBe(true);
  });

  it("are deleted at the start of a player whose connections are all disabled", async () => {
    const { running, second, other, parts } = await startAwaiting();
    await other.comeBack();
    other.files.set("large", (request, response) =>
      sendBeginning(request, response, bytes, megabyte, "silence"),
    );
    running.sync.run(second);
    await running.until(
      ({ connectionId, phase }) =>
        connectionId === second && phase === "downloading",
    );
    for (const { id } of running.sync.connections())
      await running.sync.changeConnection(id, { isEnabled: false });
    // As long as it runs, the player knows what they are for.
    expect(await parts()).toEqual([md5Of(bytes)]);
    await running.stopSync();
    await running.player.stop();
    const again = await startSync({ player: { dataDir: running.dataDir } });
    await expect.poll(parts).toEqual([]);
    const { library } = again.player.forSync;
    expect(library.hasFile(md5Of(green.bytes as Buffer))).toBe(false);
    expect(library.hasFile(md5Of(blue.bytes as Buffer))).toBe(true);
  });
});
