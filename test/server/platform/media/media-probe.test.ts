// Media type detection by a file's bytes.

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createMediaJudge,
  JudgingEnded,
  probeMedia,
} from "../../../../server/platform/media/media-probe.ts";
import { outOfMemoryCode } from "../../../../server/platform/media/media-job.ts";
import {
  forkMediaScript,
  type MediaProcess,
} from "../../../../server/platform/media/start-media-process.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { clip, png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";

async function probe(bytes: Buffer | string): Promise<unknown> {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, bytes);
  return probeMedia(file);
}

describe("a file", () => {
  it("is an image by its bytes", async () => {
    expect(await probe(png([1, 2, 3]))).toEqual({
      type: "image/png",
      lengthSeconds: null,
      ...{ problem: null, remark: null },
    });
  });

  it("is a video with its own length", async () => {
    const media = await probe(await clip({ colour: [1, 2, 3], seconds: 2 }));
    expect(media).toMatchObject({ type: "video/mp4" });
    expect((media as { lengthSeconds: number }).lengthSeconds).toBeCloseTo(
      2,
      1,
    );
  });

  it("is reported as unplayable when its container or codec is one that no PC of this kind plays", async () => {
    const mpeg4 = await clip({ colour: [1, 2, 3], seconds: 1, codec: "mpeg4" });
    expect(await probe(mpeg4)).toMatchObject({
      type: "video/mp4",
      problem: expect.stringContaining("codec"),
    });
    const avi = Buffer.from("RIFF\0\0\0\0AVI LIST", "latin1");
    expect(await probe(avi)).toMatchObject({
      problem: expect.stringContaining("not supported"),
    });
  });

  it.each([
    "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9v9'/></svg>",
    "<?xml version='1.0'?>\n<!-- logo -->\n<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'><path d='M0 0h9v9'/></svg>",
  ])("is an SVG when it starts as one: %s", async (text) => {
    expect(await probe(text)).toEqual({
      type: "image/svg+xml",
      lengthSeconds: null,
      ...{ problem: null, remark: null },
    });
  });

  it.each([
    "",
    "hello",
    "<html><svg></svg></html>",
    "<?xml version='1.0'?><rss/>",
    // [V2-659]: its first bytes are those of an audio format that is never used.
    Buffer.from("\ufeffA text in UTF-16", "utf16le"),
  ])("is not media: %j", async (text) => expect(await probe(text)).toBeNull());

  it("of 52 bytes that hang its reader is damaged, and the next file is read all the same", async () => {
    const folder = await temporaryFolder();
    const flac = Buffer.concat([
      Buffer.from("664c614300000022", "hex"),
      Buffer.alloc(44, 0xff),
    ]);
    const hanging = path.join(folder, "hanging");
    await writeFile(hanging, flac);
    const image = path.join(folder, "image");
    await writeFile(image, png([1, 2, 3]));
    // The limit includes the start of a process, which takes seconds on a busy machine.
    const from = performance.now();
    await createMediaJudge().judge({ file: image });
    const timeoutMs = Math.max(3_000, 5 * (performance.now() - from));
    const { judge } = createMediaJudge({ timeoutMs });
    const outcomes = Array.from({ length: 4 }, (_, at) =>
      judge({ file: at < 3 ? hanging : image }),
    );
    const answers = await Promise.all(outcomes);
    for (const answer of answers.slice(0, 3))
      expect(answer?.problem ?? "no media").toMatch(/damaged|no media/);
    expect(answers[3]).toMatchObject({ type: "image/png", problem: null });
  });

  it("[V2-502] is a complete PDF, or a truncated one", async () => {
    const complete = await pdf([{ colour: [1, 2, 3] }]);
    const taken = { type: "application/pdf", problem: null };
    expect(await probe(complete)).toMatchObject(taken);
    const padded = Buffer.concat([complete, Buffer.alloc(4000, "\n")]);
    expect(await probe(padded)).toMatchObject(taken);
    for (const part of [0.3, 0.9, 0.99]) {
      const cut = complete.subarray(0, Math.floor(complete.length * part));
      expect(await probe(cut)).toMatchObject({
        problem: expect.stringContaining("incomplete") as string,
      });
    }
  });

  it("that does not exist is an error, not a verdict", async () => {
    const gone = path.join(await temporaryFolder(), "gone");
    await expect(probeMedia(gone)).rejects.toThrow(/ENOENT/);
  });
});

describe("a process that reads a file", () => {
  /** Child processes that do this with every file, and how many of them were started. */
  async function judgeBy(act: string, timeoutMs?: number) {
    const script = path.join(await temporaryFolder(), "child.mjs");
    const type = `process.send({ kind: "type", type: "video/mp4" })`;
    await writeFile(
      script,
      `process.on("message", (job) => { ${type}; ${act} });`,
    );
    const ends: Promise<number | null>[] = [];
    const { judge, takeApart } = createMediaJudge({
      start: () => {
        const child = forkMediaScript(pathToFileURL(script));
        let notifyEnded = (_code: number | null): void => undefined;
        ends.push(new Promise((resolve) => (notifyEnded = resolve)));
        return {
          ...child,
          onExit: (listener) =>
            child.onExit((code) => {
              listener(code);
              if (code !== "not-started") notifyEnded(code);
            }),
        };
      },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return { judge, takeApart, ends };
  }
  const forever = "for (;;);";

  it("[V2-427] and hangs is killed: the file is at fault", async () => {
    const { judge, ends } = await judgeBy(forever, 2_000);
    expect(await judge({ file: "a" })).toMatchObject({
      ...{ type: "video/mp4", isDamaged: true },
      problem: expect.stringContaining("too long") as string,
    });
    expect(await ends[0]).toBeNull();
  });

  it("[V2-427] and crashes, or takes too much memory, is a verdict on the file", async () => {
    const crashing = await judgeBy("process.abort();");
    expect(await crashing.judge({ file: "a" })).toMatchObject({
      isDamaged: true,
    });
    const greedy = await judgeBy(`process.exit(${outOfMemoryCode});`);
    expect(await greedy.judge({ file: "a" })).toMatchObject({
      ...{ isDamaged: true },
      problem: expect.stringContaining("memory") as string,
    });
  });

  /** The very first process does this; the others continue. */
  const onlyOnce = async (act: string): Promise<string> => {
    const mark = JSON.stringify(path.join(await temporaryFolder(), "mark"));
    // Several start at once: the system decides which is first.
    return `const { writeFileSync } = await import("node:fs");
      let isFirst = true;
      try { writeFileSync(${mark}, "", { flag: "wx" }); } catch { isFirst = false; }
      if (isFirst) { ${act} }`;
  };
  const killed = `process.kill(process.pid, "SIGKILL"); await new Promise(() => undefined);`;

  it.each([
    ["is killed from outside", killed],
    ["crashes", "process.abort();"],
  ])(
    "[V2-427] [V4-307] and %s says nothing about the file: a second one reads it, and others keep their places",
    async (_how, act) => {
      const first = await onlyOnce(act);
      const media = `{ type: "image/png", lengthSeconds: job.file.length }`;
      const done = `process.send({ kind: "done", media: ${media}, isSpent: false });`;
      const { judge, ends } = await judgeBy(
        `(async () => { ${first} ${done} })();`,
      );
      const lengths = await Promise.all(
        ["a", "bb", "ccc"].map(async (file) => {
          const judged = await judge({ file });
          return judged?.lengthSeconds;
        }),
      );
      expect(lengths).toEqual([1, 2, 3]);
      // Their number depends on which was free when the end of the first one was noticed.
      expect(ends.length).toBeGreaterThan(1);
    },
  );

  it("[V4-307] and splits a PDF is followed by one that starts at the first page again", async () => {
    const first = await onlyOnce(killed);
    const { takeApart } = await judgeBy(
      `globalThis.count = (globalThis.count ?? 0) + 1;
      (async () => {
        if (globalThis.count === 2) { ${first} }
        process.send(globalThis.count > 3 ? { kind: "done", media: null, isSpent: false } : { kind: "page" });
      })();`,
    );
    const taken: number[] = [];
    const media = await takeApart(
      { file: "a", pages: { file: "b", most: 9 } },
      async (index) => void taken.push(index),
    );
    expect(media).toBeNull();
    expect(taken).toEqual([0, 0, 1, 2]);
  });

  it("[V4-316] and hangs over the pages of a PDF is killed: the file is at fault", async () => {
    const { takeApart, ends } = await judgeBy(forever, 2_000);
    const pages = { file: "b", most: 1 };
    const media = await takeApart({ file: "a", pages }, async () => undefined);
    expect(media).toMatchObject({
      ...{ isDamaged: true },
      problem: expect.stringContaining("too long") as string,
    });
    expect(await ends[0]).toBeNull();
  });

  /** A PDF process that writes pages, one for each message, and then does this. */
  const pagesThen = (most: number, act: string): string =>
    `globalThis.count = (globalThis.count ?? 0) + 1;
    if (globalThis.count > ${most}) { ${act} }
    process.send({ kind: "page" });`;
  const fakeTimeouts = (): void => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  };
  const ofPages = { file: "a", pages: { file: "b", most: 9 } };
  const afterIo = (): Promise<void> =>
    new Promise((resolve) => setImmediate(resolve));

  it("[V4-316] and hangs after a page of a PDF is killed within five minutes, even if it gets no processor time", async () => {
    const { takeApart, ends } = await judgeBy(pagesThen(1, forever));
    fakeTimeouts();
    let taken = 0;
    const media = takeApart(ofPages, async () => {
      taken += 1;
      void afterIo().then(() => vi.advanceTimersByTime(5 * 60_000));
    });
    expect(await media).toMatchObject({
      ...{ isDamaged: true },
      problem: expect.stringContaining("too long") as string,
    });
    expect(await ends[0]).toBeNull();
    expect(taken).toBe(1);
  });

  it("[V4-316] has that long for each page of a PDF, and as long as its pages take to be stored", async () => {
    const done = `return process.send({ kind: "done", media: null, isSpent: false })`;
    const { takeApart } = await judgeBy(pagesThen(4, done));
    fakeTimeouts();
    let taken = 0;
    const media = takeApart(ofPages, async () => {
      taken += 1;
      vi.advanceTimersByTime(100_000);
      void afterIo().then(() => vi.advanceTimersByTime(40_000));
    });
    expect(await media).toBeNull();
    expect(taken).toBe(4);
  });

  it("[V4-316] writes no page before the last one is stored, and none after one that could not be", async () => {
    const { takeApart } = createMediaJudge();
    const file = path.join(await temporaryFolder(), "file");
    const pages = { file: `${file}.page`, most: 3 };
    await writeFile(file, await pdf(Array(3).fill({ colour: [1, 2, 3] })));
    let taken = 0;
    const count = async (): Promise<void> => {
      await rm(pages.file);
      taken += 1;
    };
    expect(await takeApart({ file, pages }, count)).toMatchObject({
      ...{ type: "application/pdf", problem: null },
    });
    expect(taken).toBe(3);
    const failing = async (): Promise<void> => {
      await count();
      if (taken === 5) throw new Error("The disk is full.");
    };
    await expect(takeApart({ file, pages }, failing)).rejects.toThrow(
      "The disk is full.",
    );
    expect(taken).toBe(5);
  });

  it("[V2-503] and holds much memory afterwards is replaced", async () => {
    const done = `process.send({ kind: "done", media: null, isSpent: job.file === "large" })`;
    const { judge, ends } = await judgeBy(done);
    await judge({ file: "small" });
    await judge({ file: "large" });
    expect(ends).toHaveLength(1);
    expect(await ends[0]).toBeNull();
    await judge({ file: "small" });
    expect(ends).toHaveLength(2);
  });

  /** A system that fails to start this many processes, in this way, and then succeeds. */
  async function judgeOnceStarted(
    refusals: number,
    refuse: () => MediaProcess,
  ) {
    const script = path.join(await temporaryFolder(), "child.mjs");
    const media = `{ type: "image/png", lengthSeconds: job.file.length }`;
    const done = `{ kind: "done", media: ${media}, isSpent: false }`;
    await writeFile(
      script,
      `process.on("message", (job) => process.send(${done}));`,
    );
    let starts = 0;
    const { judge } = createMediaJudge({
      startPauseMs: 1,
      start: () =>
        (starts += 1) > refusals
          ? forkMediaScript(pathToFileURL(script))
          : refuse(),
    });
    return { judge, starts: () => starts };
  }
  const throwing = (): MediaProcess => {
    throw new Error("EMFILE: too many open files");
  };
  const ending = (): MediaProcess => ({
    ...{ post: () => undefined, onMessage: () => undefined },
    ...{ kill: () => undefined, setWaitedFor: () => undefined },
    processorMs: () => null,
    onExit: (listener) => setImmediate(() => listener("not-started")),
  });

  it.each([
    ["throws", throwing],
    ["ends before it runs", ending],
  ] as const)(
    "[V2-654] and cannot be started, which %s, removes no file from the queue: each is read once it can be",
    async (_how, refuse) => {
      const { judge } = await judgeOnceStarted(5, refuse);
      const order: number[] = [];
      const answers = await Promise.all(
        ["a", "bb", "ccc"].map(async (file) => {
          const media = await judge({ file });
          order.push(file.length);
          return media?.lengthSeconds;
        }),
      );
      expect(answers).toEqual([1, 2, 3]);
      expect(order.toSorted()).toEqual([1, 2, 3]);
    },
  );

  it("[V2-654] and cannot be started at all is an error after a while, not a verdict, and others get their turn then", async () => {
    const { judge, starts } = await judgeOnceStarted(60, throwing);
    await expect(judge({ file: "a" })).rejects.toThrow("EMFILE");
    expect(starts()).toBe(60);
    expect(await judge({ file: "bb" })).toMatchObject({ lengthSeconds: 2 });
  });

  it("[V2-654] and cannot be started blocks no cancelled request", async () => {
    const { judge } = await judgeOnceStarted(3, throwing);
    const abort = new AbortController();
    const judging = judge({ file: "a" }, abort.signal);
    abort.abort();
    await expect(judging).rejects.toThrow(JudgingEnded);
    expect(await judge({ file: "bb" })).toMatchObject({ lengthSeconds: 2 });
  });

  it("[V2-427] ends when its requester stops: no verdict", async () => {
    const { judge, ends } = await judgeBy(forever);
    const abort = new AbortController();
    const judging = judge({ file: "a" }, abort.signal);
    setImmediate(() => abort.abort());
    await expect(judging).rejects.toThrow(JudgingEnded);
    expect(await ends[0]).toBeNull();
  });
});
