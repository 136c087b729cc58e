// Downloads of remote images and videos into the store, whatever network and server do meanwhile.

import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { png } from "../../../support/media/media.ts";
import { untoldEnd } from "../../../support/http/sources.ts";
import {
  startPlayer,
  completeBody,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

/** An image with a long tail, so that a connection can break in the middle. */
const bytes = Buffer.concat([png([90, 120, 30]), randomBytes(100_000)]);

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function createRemote(
  running: RunningPlayer,
  uri: string,
  overrides: object = {},
): Promise<string> {
  const { status, body } = await running.send("POST", "/assets", {
    ...completeBody,
    uri,
    mimetype: "image",
    ...overrides,
  });
  expect({ status, isProcessing: body.is_processing }).toEqual({
    status: 201,
    isProcessing: true,
  });
  return body.asset_id as string;
}

/** Waits for real network events, moving the clock past the pauses meanwhile. */
async function whenDone(
  running: RunningPlayer,
  id: string,
): Promise<{ is_processing: boolean; metadata: { error_message?: string } }> {
  return expect
    .poll(
      async () => {
        await running.clock.advance(1000);
        return (await (await running.request(`/assets/${id}`)).json()) as {
          is_processing: boolean;
        };
      },
      { interval: 10 },
    )
    .toMatchObject({ is_processing: false })
    .then(async () => (await running.request(`/assets/${id}`)).json() as never);
}

async function isProcessing(
  running: RunningPlayer,
  id: string,
): Promise<boolean> {
  const answer = await running.request(`/assets/${id}`);
  return ((await answer.json()) as { is_processing: boolean }).is_processing;
}

async function sizeOfPieces(dataDir: string): Promise<number> {
  const aside = path.join(dataDir, "files", "aside");
  const names = await readdir(aside);
  const sizes = await Promise.all(
    names.map((name) => stat(path.join(aside, name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

describe("[V2-26] a remote image", () => {
  it("is downloaded, plays from the store, and its content is its bytes", async () => {
    const running = await startPlayer();
    const address = await serve((_request, response) => response.end(bytes));
    const id = await createRemote(running, `${address}/a.png`);
    expect(running.stage.visible()?.assetId ?? null).toBeNull();
    await whenDone(running, id);
    await expect.poll(() => running.stage.visible()?.assetId).toBe(id);
    const content = (await (
      await running.request(`/assets/${id}/content`)
    ).json()) as { content: string };
    expect(Buffer.from(content.content, "base64").equals(bytes)).toBe(true);
  });

  it("resumes where the connection broke, and only when it is still the same file", async () => {
    const running = await startPlayer();
    const ranges: (string | undefined)[] = [];
    const address = await serve((request, response) => {
      ranges.push(request.headers.range);
      response.setHeader("ETag", '"v1"');
      if (request.headers.range === undefined) {
        response.setHeader("Content-Length", bytes.length);
        response.write(bytes.subarray(0, 700));
        // The connection breaks once these are on the disk.
        void expect
          .poll(() => sizeOfPieces(running.dataDir))
          .toBe(700)
          .then(() => response.destroy());
        return;
      }
      expect(request.headers["if-range"]).toBe('"v1"');
      const from = Number(/\d+/.exec(request.headers.range)?.[0]);
      response.writeHead(206, {
        "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
      response.end(bytes.subarray(from));
    });
    const id = await createRemote(running, `${address}/a.png`);
    await whenDone(running, id);
    expect(ranges).toEqual([undefined, "bytes=700-"]);
  });

  it("[V2-402] continues downloading whatever is_processing a client sends, and resets it when done", async () => {
    const running = await startPlayer();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const address = await serve((_request, response) => {
      void held.then(() => response.end(bytes));
    });
    const id = await createRemote(running, `${address}/a.png`);
    const patch = async (is_processing: boolean) =>
      (await running.send("PATCH", `/assets/${id}`, { is_processing })).body
        .is_processing as boolean;
    expect(await patch(false)).toBe(false);
    expect(running.player.assets()[0]?.file).toBeNull();
    expect(await patch(true)).toBe(true);
    release();
    await whenDone(running, id);
    expect(running.player.assets()[0]?.file?.sizeBytes).toBe(bytes.length);
  });

  it("starts over when the server answers a range request with the whole file", async () => {
    const running = await startPlayer();
    let requests = 0;
    const address = await serve((_request, response) => {
      requests += 1;
      response
        .setHeader("ETag", `"v${requests}"`)
        .setHeader("Content-Length", bytes.length);
      if (requests === 1)
        response.write(bytes.subarray(0, 500), () => response.socket?.end());
      else response.end(bytes);
    });
    await whenDone(running, await createRemote(running, `${address}/a.png`));
    expect(running.player.assets()[0]?.file?.sizeBytes).toBe(bytes.length);
  });

  it("waits with the reason on the asset while the server is unreachable, and is downloaded when it is back", async () => {
    const running = await startPlayer();
    let isBack = false;
    const address = await serve((_request, response) => {
      if (isBack) response.end(bytes);
      else response.writeHead(503).end();
    });
    const id = await createRemote(running, `${address}/a.png`);
    const reason = async () =>
      (
        (await (await running.request(`/assets/${id}`)).json()) as {
          metadata: { error_message?: string };
        }
      ).metadata.error_message;
    await expect.poll(reason).toContain("503");
    isBack = true;
    expect((await whenDone(running, id)).metadata).toEqual({});
  });

  it("is downloaded while failing addresses wait for their next try", async () => {
    const running = await startPlayer();
    const away = await serve((_request, response) =>
      response.writeHead(503).end(),
    );
    const alive = await serve((_request, response) => response.end(bytes));
    for (const name of ["a", "b", "c"])
      await createRemote(running, `${away}/${name}.png`);
    const id = await createRemote(running, `${alive}/d.png`);
    // The clock stands still: no retry pause ever ends.
    await expect.poll(() => isProcessing(running, id)).toBe(false);
  });

  it.each([404, 410])(
    "that its server answers %s for is requested once, and fails with the reason",
    async (status) => {
      const running = await startPlayer();
      let requests = 0;
      const address = await serve((_request, response) => {
        requests += 1;
        response.writeHead(status).end();
      });
      const id = await createRemote(running, `${address}/a.png`);
      const { metadata } = await whenDone(running, id);
      expect(metadata.error_message).toContain(
        `responded with status ${status}`,
      );
      await running.clock.advance(600_000);
      expect(requests).toBe(1);
    },
  );

  it("yields to a download from another server when its own sends hardly anything, and resumes later", async () => {
    const running = await startPlayer();
    const held: ServerResponse[] = [];
    const slow = await serve((_request, response) => {
      response.setHeader("Content-Length", bytes.length);
      if (held.length === 2) return void response.end(bytes);
      held.push(response);
      response.write(bytes.subarray(0, 100));
    });
    const quick = await serve((_request, response) => response.end(bytes));
    const slowOnes = [
      await createRemote(running, `${slow}/a.png`),
      await createRemote(running, `${slow}/b.png`),
    ];
    await expect.poll(() => sizeOfPieces(running.dataDir)).toBe(200);
    const id = await createRemote(running, `${quick}/c.png`);
    await whenDone(running, id);
    // One of the two yielded: the other continues.
    for (const response of held) response.end(bytes.subarray(100));
    for (const one of slowOnes) await whenDone(running, one);
    const files = running.player.assets().map(({ file }) => file);
    expect(files.map((file) => file?.sizeBytes)).toEqual(
      Array(3).fill(bytes.length),
    );
  });

  it.each([
    {
      title: "is not media",
      answer: "<html>captive portal</html>",
      reason: "not a supported image, video, audio or PDF",
    },
    { title: "is empty", answer: "", reason: "empty" },
  ])(
    "fails with the reason when the response is $title",
    async ({ answer, reason }) => {
      const running = await startPlayer();
      const address = await serve((_request, response) => response.end(answer));
      const { metadata } = await whenDone(
        running,
        await createRemote(running, `${address}/a.png`),
      );
      expect(metadata.error_message).toContain(reason);
    },
  );

  it("is rejected when it exceeds the size limit, announced or not", async () => {
    const running = await startPlayer({ maxUploadBytes: 1000 });
    for (const announced of [true, false]) {
      const address = await serve((_request, response) => {
        if (announced) response.setHeader("Content-Length", 5000);
        response.end(Buffer.alloc(5000));
      });
      const { metadata } = await whenDone(
        running,
        await createRemote(running, `${address}/${announced}.png`),
      );
      expect(metadata.error_message).toContain("1000 bytes");
    }
  });

  it("is resumed after a restart, and dropped when its asset is deleted", async () => {
    const first = await startPlayer();
    let isOpen = false;
    const address = await serve((_request, response) => {
      if (isOpen) response.end(bytes);
    });
    const kept = await createRemote(first, `${address}/a.png`);
    const gone = await createRemote(first, `${address}/b.png`);
    await first.request(`/assets/${gone}`, { method: "DELETE" });
    await first.player.stop();
    isOpen = true;
    const again = await startPlayer({ dataDir: first.dataDir });
    await whenDone(again, kept);
    expect(again.player.assets().map(({ id }) => id)).toEqual([kept]);
  });

  it("[V2-294] of an address that was replaced meanwhile is never stored in the asset", async () => {
    const running = await startPlayer();
    const other = png([1, 2, 3]);
    let letGo = (): void => undefined;
    const isHeld = new Promise<void>((held) => {
      letGo = held;
    });
    const requests: string[] = [];
    const address = await serve((request, response) => {
      requests.push(request.url ?? "");
      if (request.url === "/late.png") response.end(other);
      else {
        response.setHeader("Content-Length", bytes.length);
        response.write(bytes.subarray(0, 700));
        void isHeld.then(() => response.end(bytes.subarray(700)));
      }
    });
    const id = await createRemote(running, `${address}/early.png`);
    await expect.poll(() => sizeOfPieces(running.dataDir)).toBe(700);
    const uri = `${address}/late.png`;
    await running.send("POST", `/assets/${id}/source`, { uri });
    letGo();
    await whenDone(running, id);
    expect(requests).toEqual(["/early.png", "/late.png"]);
    expect(running.player.assets()[0]?.file?.sizeBytes).toBe(other.length);
    await expect.poll(() => sizeOfPieces(running.dataDir)).toBe(0);
  });

  it.each([
    {
      title: "exactly that long",
      declaredBytes: bytes.length,
      expectedRequests: ["first", "rest"],
    },
    {
      title: "longer by now",
      declaredBytes: 7,
      expectedRequests: ["first", "rest", "first"],
    },
  ])(
    "that was complete when the player was killed is kept, or restarted from the first byte, where its server calls it $title",
    async ({ declaredBytes, expectedRequests }) => {
      const first = await startPlayer();
      const requests: string[] = [];
      let isCut = true;
      const address = await serve((request, response) => {
        const { range } = request.headers;
        requests.push(range === undefined ? "first" : "rest");
        response.setHeader("ETag", '"v1"');
        if (range !== undefined)
          response
            .writeHead(416, { "Content-Range": `bytes */${declaredBytes}` })
            .end();
        // Without its length it cannot be known to be complete.
        else if (isCut) response.write(bytes);
        else response.end(bytes);
      });
      const id = await createRemote(first, `${address}/a.png`);
      await expect.poll(() => sizeOfPieces(first.dataDir)).toBe(bytes.length);
      await first.player.stop();
      isCut = false;
      const again = await startPlayer({ dataDir: first.dataDir });
      await whenDone(again, id);
      expect(requests).toEqual(expectedRequests);
      expect(again.player.assets()[0]?.file?.sizeBytes).toBe(bytes.length);
    },
  );

  describe("[V2-720] whose server announces no length", () => {
    /** Each answer once, then the last one repeatedly. */
    async function downloadFrom(answers: readonly Buffer[]) {
      const running = await startPlayer();
      let requests = 0;
      const address = await serve((request, response) => {
        const of = answers[Math.min(requests, answers.length - 1)];
        requests += 1;
        untoldEnd(of ?? bytes)(request, response);
      });
      const id = await createRemote(running, `${address}/a.png`);
      const reason = async () =>
        (await (await running.request(`/assets/${id}`)).json()) as unknown;
      await expect.poll(reason).toMatchObject({
        metadata: {
          error_message: expect.stringContaining("may be incomplete"),
        },
      });
      const { metadata } = await whenDone(running, id);
      const [asset] = running.player.assets();
      return { requests, sizeBytes: asset?.file?.sizeBytes, ...metadata };
    }

    it("is accepted once two downloads were identical: until then it may have been cut short", async () => {
      // What the first one lacks is behind the image data, so it can still be shown.
      const cut = bytes.subarray(0, bytes.length / 2);
      expect(await downloadFrom([cut, bytes])).toEqual({
        ...{ requests: 3, sizeBytes: bytes.length },
      });
      expect(await downloadFrom([bytes])).toEqual({
        ...{ requests: 2, sizeBytes: bytes.length },
      });
    });

    it("is given up, or accepted, as downloaded the third time, where every download differs", async () => {
      const cuts = [20, 30, 40].map((end) => bytes.subarray(0, end));
      expect(await downloadFrom(cuts)).toMatchObject({
        ...{ requests: 3, error_message: expect.stringContaining("damaged") },
      });
      const others = [1, 2, 3].map((shade) => png([shade, 1, 1]));
      expect(await downloadFrom(others)).toEqual({
        ...{ requests: 3, sizeBytes: others[2]?.length },
      });
    });
  });

  it("leaves web pages and streams alone", async () => {
    const { send } = await startPlayer();
    for (const overrides of [
      { uri: "https://example.org/a.png", mimetype: "webpage" },
      { uri: "https://example.org/live.m3u8", mimetype: "video" },
      { uri: "rtsp://example.org/cam", mimetype: "video" },
      { uri: "https://example.org/live", mimetype: "streaming" },
    ])
      expect(
        (await send("POST", "/assets", { ...completeBody, ...overrides })).body
          .is_processing,
      ).toBe(false);
  });
});
