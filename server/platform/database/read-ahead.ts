// Read-ahead buffer: takes texts from a source as fast as it delivers them, however slow the consumer; keeps some in memory, the
// rest in a file of its own.

import { open, rm, type FileHandle } from "node:fs/promises";
import { systemCode } from "../outside-error.ts";

export interface ReadAheadOptions {
  /** Beyond this, texts go to the file. */
  readonly memoryBytes: number;
  /** Path of a file that does not exist yet; requested only when one is needed. */
  readonly newFile: () => string;
}

/** Beyond this the source has to wait after all. */
const maxFileBytes = 1024 ** 3;

/** The same texts in the same order. The source is released as soon as it ends, or the consumer stops. */
export async function* readAhead(
  source: AsyncIterable<string>,
  { memoryBytes, newFile }: ReadAheadOptions,
): AsyncGenerator<string, void> {
  const queue: Buffer[] = [];
  let queuedBytes = 0;
  /** Lengths of the texts in the file that have not been consumed. */
  const lengths: number[] = [];
  const file = createSpoolFile(newFile);
  let isEnded = false;
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;
  const change = createSignal();

  async function store(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (lengths.length === 0 && queuedBytes + bytes.length <= memoryBytes) {
      queue.push(bytes);
      queuedBytes += bytes.length;
      return;
    }
    const isInFile = await file.append(bytes).then(
      () => true,
      (error: unknown) => {
        if (systemCode(error) === undefined) throw error;
        return false;
      },
    );
    if (!isInFile) return afterAllOthers(bytes);
    lengths.push(bytes.length);
    while (file.unreadBytes() > maxFileBytes && !isOver) await change.wait();
  }

  /** Where the disk takes nothing, the source waits for the consumer (V4-346). */
  async function afterAllOthers(bytes: Buffer): Promise<void> {
    while ((queue.length > 0 || lengths.length > 0) && !isOver)
      await change.wait();
    queue.push(bytes);
    queuedBytes += bytes.length;
  }

  async function readAll(): Promise<void> {
    try {
      for await (const text of source) {
        if (isOver) return;
        await store(text);
        change.notify();
      }
    } catch (error) {
      failure = { error };
    } finally {
      isEnded = true;
      change.notify();
    }
  }

  const reading = readAll();
  try {
    for (;;) {
      const queued = queue.shift();
      const length = queued ? undefined : lengths[0];
      if (queued) {
        queuedBytes -= queued.length;
        change.notify();
        yield queued.toString();
      } else if (length !== undefined) {
        const bytes = await file.take(length);
        lengths.shift();
        change.notify();
        yield bytes.toString();
      } else if (isEnded) {
        if (failure) throw (failure as { readonly error: unknown }).error;
        return;
      } else await change.wait();
    }
  } finally {
    isOver = true;
    change.notify();
    await reading;
    await file.remove();
  }
}

interface Signal {
  wait(): Promise<void>;
  notify(): void;
}

function createSignal(): Signal {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => waiting.push(resolve)),
    notify: () => {
      const all = waiting;
      waiting = [];
      for (const goOn of all) goOn();
    },
  };
}

interface SpoolFile {
  append(bytes: Buffer): Promise<void>;
  take(length: number): Promise<Buffer>;
  unreadBytes(): number;
  remove(): Promise<void>;
}

function createSpoolFile(newFile: () => string): SpoolFile {
  let handle: FileHandle | null = null;
  let path = "";
  let writtenTo = 0;
  let readTo = 0;

  async function opened(): Promise<FileHandle> {
    if (handle) return handle;
    path = newFile();
    handle = await open(path, "wx+", 0o600);
    // A killed process leaves nothing behind. Windows deletes no open file.
    if (process.platform !== "win32") await rm(path, { force: true });
    return handle;
  }

  return {
    append: async (bytes) => {
      const to = await opened();
      for (let done = 0; done < bytes.length;) {
        const left = bytes.length - done;
        const at = writtenTo + done;
        const { bytesWritten } = await to.write(bytes, done, left, at);
        done += bytesWritten;
      }
      writtenTo += bytes.length;
    },
    take: async (length) => {
      const bytes = Buffer.alloc(length);
      const from = await opened();
      for (let done = 0; done < length;) {
        const at = readTo + done;
        const { bytesRead } = await from.read(bytes, done, length - done, at);
        if (bytesRead === 0)
          throw new Error("The file read ahead is incomplete.");
        done += bytesRead;
      }
      readTo += length;
      return bytes;
    },
    unreadBytes: () => writtenTo - readTo,
    remove: async () => {
      await handle?.close();
      if (handle) await rm(path, { force: true });
    },
  };
}
