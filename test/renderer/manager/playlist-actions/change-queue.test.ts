// Queue of playlist changes, sent one after the other: the steps of a held key are throttled, and the last one is always sent.

import { describe, expect, it } from "vitest";
import { createChangeQueue } from "../../../../renderer/manager/playlist-actions/change-queue.ts";

/** A player that responds on command, and a clock that advances on command. */
function bench() {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const waits: { at: number; done: () => void }[] = [];
  let now = 0;
  const changeQueue = createChangeQueue(
    (input: string) => {
      sent.push(input);
      return new Promise<string>((resolve) => {
        answers.push(() => {
          resolve(`done ${input}`);
        });
      });
    },
    300,
    {
      now: () => now,
      wait: (ms, done) => {
        const one = { at: now + ms, done };
        waits.push(one);
        return () => void waits.splice(waits.indexOf(one), 1);
      },
    },
  );
  return {
    ...{ sent, changeQueue, waits },
    answer: async () => {
      answers.shift()?.();
      await nextTurn();
    },
    pass: async (ms: number) => {
      now += ms;
      for (const one of waits.splice(0))
        if (one.at <= now) one.done();
        else waits.push(one);
      await nextTurn();
    },
  };
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("the change queue", () => {
  it("sends only the latest of the waiting changes, and gives all callers its response", async () => {
    const { sent, changeQueue, answer, pass } = bench();
    const all = ["a", "b", "c"].map((input) =>
      changeQueue.takeLatest("one", input),
    );
    await nextTurn();
    // The first was not sent before the others arrived: they are merged.
    expect(sent).toEqual(["c"]);
    const later = ["d", "e"].map((input) =>
      changeQueue.takeLatest("one", input),
    );
    await answer();
    expect(await Promise.all(all)).toEqual(["done c", "done c", "done c"]);
    expect(sent).toEqual(["c"]);
    expect(changeQueue.isBusy()).toBe(true);
    await pass(300);
    expect(sent).toEqual(["c", "e"]);
    await answer();
    expect(await Promise.all(later)).toEqual(["done e", "done e"]);
    expect(changeQueue.isBusy()).toBe(false);
  });

  it("does not delay a single change, nor one that others wait for", async () => {
    const { sent, changeQueue, answer, pass, waits } = bench();
    void changeQueue.takeLatest("one", "a");
    await nextTurn();
    await answer();
    await pass(300);
    void changeQueue.takeLatest("one", "b");
    await nextTurn();
    expect(sent).toEqual(["a", "b"]);
    await answer();
    void changeQueue.takeLatest("one", "c");
    await nextTurn();
    expect(waits).toHaveLength(1);
    const taken = changeQueue.take(() => Promise.resolve("taken"));
    await nextTurn();
    expect(sent).toEqual(["a", "b", "c"]);
    // A change behind a barrier does not join one before it.
    void changeQueue.takeLatest("one", "d");
    await answer();
    expect(await taken).toBe("taken");
    await pass(300);
    expect(sent).toEqual(["a", "b", "c", "d"]);
  });

  it("sends a pending change when the page closes, and continues after a rejection", async () => {
    const sent: string[] = [];
    const changeQueue = createChangeQueue(
      (input: string) => {
        sent.push(input);
        return input === "bad"
          ? Promise.reject(new Error("refused"))
          : Promise.resolve(input);
      },
      300,
      { now: () => 0, wait: () => () => undefined },
    );
    await expect(changeQueue.takeLatest("one", "bad")).rejects.toThrow(
      "refused",
    );
    const last = changeQueue.takeLatest("one", "good");
    await nextTurn();
    expect(sent).toEqual(["bad"]);
    changeQueue.hurry();
    expect(await last).toBe("good");
    expect(await changeQueue.takeLatest("two", "other")).toBe("other");
  });
});
