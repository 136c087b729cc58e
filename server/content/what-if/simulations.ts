// Runs simulations on a thread of their own, one at a time, each with a time limit (V3-103).

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { ClassOutcome, WhatIfInput } from "../../core/what-if/what-if.ts";
import type { Log } from "../../platform/log.ts";

export interface Simulations {
  /** By the index of the class. */
  run(input: WhatIfInput): Promise<readonly ClassOutcome[]>;
  stop(): Promise<void>;
}

const maxMs = 20_000;
const maxWaiting = 8;
/** An unused thread costs memory. */
const restsAfterMs = 60_000;

export function createSimulations({ log }: { readonly log: Log }): Simulations {
  let worker: Worker | null = null;
  let waiting = 0;
  let before: Promise<unknown> = Promise.resolve();
  let rest: NodeJS.Timeout | undefined;
  let current: AbortController | null = null;
  let isStopped = false;

  async function end(): Promise<void> {
    clearTimeout(rest);
    const gone = worker;
    worker = null;
    await gone?.terminate();
  }

  function thread(): Worker {
    clearTimeout(rest);
    if (worker) return worker;
    const started = new Worker(new URL("./what-if-thread.ts", import.meta.url));
    started.unref();
    // Also between two simulations, when nothing else listens.
    started.on("error", () => {
      if (worker === started) worker = null;
    });
    return (worker = started);
  }

  async function simulateOnThread(
    input: WhatIfInput,
  ): Promise<readonly ClassOutcome[]> {
    if (isStopped) throw stopping();
    const running = thread();
    const limit = (current = new AbortController());
    const timer = setTimeout(() => limit.abort(tooLarge()), maxMs);
    try {
      running.postMessage(input);
      const [outcomes] = (await once(running, "message", {
        signal: limit.signal,
      })) as [readonly ClassOutcome[]];
      return outcomes;
    } catch (error) {
      // Nobody needs any more what it computes.
      await end();
      if (limit.signal.aborted) throw limit.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      current = null;
      rest = setTimeout(() => {
        end().catch((error: unknown) =>
          log.warn("what-if.thread-not-ended", { error }),
        );
      }, restsAfterMs);
      rest.unref();
    }
  }

  return {
    run: async (input) => {
      if (waiting >= maxWaiting)
        throw new Failure("too-many", serviceSentences["simulations-limit"]);
      waiting += 1;
      const run = before.then(() => simulateOnThread(input));
      before = run.catch(() => undefined);
      try {
        return await run;
      } finally {
        waiting -= 1;
      }
    },
    stop: async () => {
      isStopped = true;
      current?.abort(stopping());
      await before;
      await end();
    },
  };
}

function tooLarge(): Failure {
  return new Failure(
    "too-large",
    composeSentence(serviceSentences["simulation-slow"], {
      seconds: maxMs / 1000,
    }),
  );
}

function stopping(): Failure {
  return new Failure("unavailable", serviceSentences.stopping);
}
