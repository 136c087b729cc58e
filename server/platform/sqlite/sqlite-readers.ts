// Pool of threads that read SQLite while another connection writes: limited in number, and reused.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import {
  asDatabaseError,
  DatabaseError,
  type Piece,
  type Row,
  type Statement,
} from "../database/database.ts";
import type {
  ReaderAnswer,
  ReaderOptions,
  ReaderQuestion,
} from "./sqlite-reader.ts";

export interface SqliteReaders {
  all(statement: Statement): Promise<readonly Row[]>;
  /** All from one snapshot. */
  together(
    statements: readonly Statement[],
  ): Promise<readonly (readonly Row[])[]>;
  pieces(
    statements: readonly Statement[],
    rowsAtOnce: number,
  ): AsyncGenerator<Piece>;
  /** A copy of one snapshot, made and checked on a thread of its own; resolves with what is wrong with it, or null. */
  backUp(to: string): Promise<string | null>;
  close(): Promise<void>;
}

/** As many as most machines have processors to spare; further queries queue. */
const queriesAtOnce = 2;
/** A slow client occupies one for as long as it takes to read its list. */
const listsAtOnce = 4;

/** `untilInPlace`: a thread that opens the database while it is being restored (V4-323) would find it without its journal. */
export function createSqliteReaders(
  options: ReaderOptions,
  untilInPlace: () => Promise<void>,
): SqliteReaders {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  /** Threads that are loading SQLite: terminating one then aborts the whole process. */
  const opening = new Set<Promise<unknown>>();
  const enterQueries = limited(queriesAtOnce);
  const enterLists = limited(listsAtOnce);

  async function take(): Promise<Worker> {
    const reader = idle.pop();
    if (reader) return reader;
    await untilInPlace();
    const worker = new Worker(new URL("./sqlite-reader.ts", import.meta.url), {
      workerData: options,
    });
    all.add(worker);
    worker.unref();
    const forget = (): void => {
      all.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
    };
    // It ends only after the error: it must not be assigned in between.
    worker.once("error", forget);
    worker.once("exit", forget);
    // A thread reports first that it has opened the database.
    const opened = request(worker, null);
    const settled = opened.catch(() => undefined);
    opening.add(settled);
    try {
      await opened;
    } finally {
      opening.delete(settled);
    }
    return worker;
  }

  async function using<T>(work: (worker: Worker) => Promise<T>): Promise<T> {
    const worker = await take();
    try {
      return await work(worker);
    } finally {
      if (all.has(worker)) idle.push(worker);
    }
  }

  return {
    all: async (statement) => {
      const leave = await enterQueries();
      try {
        return await using((worker) =>
          request(worker, { kind: "all", ...statement }),
        );
      } finally {
        leave();
      }
    },
    together: async (statements) => {
      const leave = await enterQueries();
      try {
        return await using(async (worker) => {
          await request(worker, { kind: "begin" });
          try {
            const results: (readonly Row[])[] = [];
            for (const statement of statements)
              results.push(
                await request(worker, { kind: "all", ...statement }),
              );
            return results;
          } finally {
            await request(worker, { kind: "end" }).catch(() => undefined);
          }
        });
      } finally {
        leave();
      }
    },
    pieces: async function* (statements, rowsAtOnce) {
      const leave = await enterLists();
      const worker = await take().catch((error: unknown) => {
        leave();
        throw error;
      });
      try {
        await request(worker, { kind: "begin" });
        for (const [statement, { text, values }] of statements.entries()) {
          await request(worker, { kind: "open", text, values });
          for (;;) {
            const rows = await request(worker, {
              kind: "next",
              count: rowsAtOnce,
            });
            if (rows.length > 0) yield { statement, rows };
            if (rows.length < rowsAtOnce) break;
          }
        }
      } finally {
        if (all.has(worker)) {
          await request(worker, { kind: "end" }).catch(() => undefined);
          if (all.has(worker)) idle.push(worker);
        }
        leave();
      }
    },
    backUp: async (to) => {
      const [found] = await using((worker) =>
        request(worker, { kind: "backup", to }),
      );
      return found === undefined ? null : String(found["damage"]);
    },
    close: async () => {
      await Promise.all(opening);
      await Promise.all(
        [...all].map((worker) => {
          terminating.add(worker);
          worker.ref();
          return worker.terminate();
        }),
      );
    },
  };
}

/** Threads that `close` terminates. */
const terminating = new WeakSet<Worker>();

/** One query at a time for each; null only waits for an answer. */
async function request(
  worker: Worker,
  question: ReaderQuestion | null,
): Promise<readonly Row[]> {
  const over = new AbortController();
  const { signal } = over;
  worker.ref();
  try {
    const answered = once(worker, "message", { signal });
    const ended = once(worker, "exit", { signal }).then(() => {
      throw new Error("The reader thread stopped.");
    });
    ended.catch(() => undefined);
    if (question) worker.postMessage(question);
    const [answer] = (await Promise.race([answered, ended])) as [ReaderAnswer];
    if ("rows" in answer) return answer.rows;
    if (answer.sqlState === null) throw new Error(answer.message);
    throw new DatabaseError(answer.sqlState, answer.message, undefined);
  } catch (error) {
    // A thread that cannot open the database ends with SQLite's error.
    throw asDatabaseError(error);
  } finally {
    over.abort();
    // `close` waits until it has terminated.
    if (!terminating.has(worker)) worker.unref();
  }
}

/** Semaphore: admits this many at once; the others wait in order. */
function limited(atOnce: number): () => Promise<() => void> {
  let inside = 0;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside -= 1;
  };
  return async () => {
    if (inside < atOnce) inside += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}
