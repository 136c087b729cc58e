// Unfinished uploads of a browser in IndexedDB, with their files as far as they fit: they continue after a reload of the page, or in
// another tab when theirs was closed. Everything here may fail, as in a private window; then nothing continues.

/** What a drop goes into; survives a reload. */
export interface StoredBatch {
  readonly id: string;
  /** A JSON value: the destination. */
  readonly target: unknown;
  /** The tab that uploads it. */
  readonly owner: string;
  /** The owner was there. */
  readonly seenAt: number;
  /** Added already, for the summary at the end. */
  readonly added: readonly StoredAsset[];
}

export interface StoredAsset {
  readonly id: string;
  readonly name: string;
}

export interface StoredJob {
  /** Also of the upload, and of the asset. */
  readonly id: string;
  readonly batch: string;
  /** Within its batch. */
  readonly place: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
  /** Bytes from all over the file, to recognize it when it is chosen again; null until they are read. */
  readonly sample: ArrayBuffer | null;
}

export interface AdoptedBatch extends StoredBatch {
  readonly jobs: readonly (StoredJob & { readonly file: File | null })[];
}

/** A larger file has to be chosen again after a reload. */
const maxStoredFileBytes = 256 * 1024 * 1024;
/** Of all files together. */
const maxStoredBytes = 1024 * 1024 * 1024;
/** The player has discarded the bytes long before; nobody waits for it any more. */
const keptMs = 7 * 24 * 3_600_000;
/** Timers of a hidden tab run once a minute. */
const goneMs = 150_000;

const databaseName = "vitrine-uploads";
type StoreName = "batches" | "jobs" | "files";

let database: Promise<IDBDatabase> | null = null;

function opened(): Promise<IDBDatabase> {
  database ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => {
      const { result } = request;
      result.createObjectStore("batches", { keyPath: "id" });
      result
        .createObjectStore("jobs", { keyPath: "id" })
        .createIndex("batch", "batch");
      result.createObjectStore("files");
    };
    request.onsuccess = () => {
      // Another page wants to delete it.
      request.result.onversionchange = () => {
        request.result.close();
        database = null;
      };
      resolve(request.result);
    };
    request.onerror = request.onblocked = () => {
      reject(request.error ?? new Error("IndexedDB is blocked."));
    };
  });
  return database;
}

/** Runs `act` in one transaction; resolves once it is complete. */
async function within<T>(
  stores: readonly StoreName[],
  act: (transaction: IDBTransaction) => T | Promise<T>,
): Promise<T> {
  const transaction = (await opened()).transaction([...stores], "readwrite");
  const complete = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = transaction.onerror = () => {
      reject(transaction.error ?? new Error("IndexedDB gave up."));
    };
  });
  // Whichever fails first is reported.
  const [result] = await Promise.all([act(transaction), complete]);
  return result;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("IndexedDB gave up."));
    };
  });
}

export async function storeBatch(
  batch: StoredBatch,
  jobs: readonly StoredJob[],
): Promise<void> {
  await within(["batches", "jobs"], (transaction) => {
    transaction.objectStore("batches").put(batch);
    for (const job of jobs) transaction.objectStore("jobs").put(job);
  });
}

/** With a sample of it, in case the browser drops the content; false where only that fits. */
export async function storeFile(
  id: string,
  file: File,
  storedBytes: number,
): Promise<boolean> {
  const fits =
    file.size <= maxStoredFileBytes &&
    storedBytes + file.size <= maxStoredBytes;
  await storeSample(id, file);
  if (!fits) return false;
  try {
    await within(["jobs", "files"], async (transaction) => {
      // It was finished in the meantime.
      const request = transaction.objectStore("jobs").getKey(id);
      if ((await answerOf(request)) !== undefined)
        transaction.objectStore("files").put(file, id);
    });
    return true;
  } catch {
    // The disk or the quota is full.
    return false;
  }
}

async function storeSample(id: string, file: File): Promise<void> {
  const sample = await sampleOf(file);
  await within(["jobs"], async (transaction) => {
    const jobs = transaction.objectStore("jobs");
    const job = (await answerOf(jobs.get(id))) as StoredJob | undefined;
    if (job) jobs.put({ ...job, sample });
  });
}

const sampleCount = 32;
const sampleBytes = 512;

/** Spread over the whole file, its first and last bytes among them. */
export async function sampleOf(file: Blob): Promise<ArrayBuffer> {
  const last = Math.max(0, file.size - sampleBytes);
  const slices = Array.from({ length: sampleCount }, (_, place) => {
    const from = Math.floor((last * place) / (sampleCount - 1));
    return file.slice(from, from + sampleBytes);
  });
  return new Blob(slices).arrayBuffer();
}

/** Added or cancelled. */
export async function dropJobs(
  batch: string,
  ids: readonly string[],
  added: readonly StoredAsset[] = [],
): Promise<void> {
  await within(["batches", "jobs", "files"], async (transaction) => {
    for (const id of ids) {
      transaction.objectStore("jobs").delete(id);
      transaction.objectStore("files").delete(id);
    }
    if (added.length === 0) return;
    const batches = transaction.objectStore("batches");
    const before = (await answerOf(batches.get(batch))) as
      | StoredBatch
      | undefined;
    if (before) batches.put({ ...before, added: [...before.added, ...added] });
  });
}

export async function dropBatch(id: string): Promise<void> {
  await within(["batches", "jobs", "files"], async (transaction) => {
    await deleteBatch(transaction, id);
  });
}

async function deleteBatch(
  transaction: IDBTransaction,
  id: string,
): Promise<void> {
  const jobs = transaction.objectStore("jobs");
  const keys = await answerOf(jobs.index("batch").getAllKeys(id));
  for (const key of keys) {
    jobs.delete(key);
    transaction.objectStore("files").delete(key);
  }
  transaction.objectStore("batches").delete(id);
}

/** Another person may sign in next. */
export async function dropEverything(): Promise<void> {
  await within(["batches", "jobs", "files"], (transaction) => {
    for (const name of transaction.objectStoreNames)
      transaction.objectStore(name).clear();
  });
}

/**
 * Takes the batches of this tab before its reload, and those of tabs that are gone. `isOwn` are the batches that this page already
 * has: of these, returns which still belong to it.
 */
export async function adopt(
  owner: string,
  nowMs: number,
  isOwn: ReadonlySet<string>,
): Promise<{
  readonly adopted: readonly AdoptedBatch[];
  readonly owned: ReadonlySet<string>;
}> {
  return within(["batches", "jobs", "files"], async (transaction) => {
    const batches = transaction.objectStore("batches");
    const all = (await answerOf(batches.getAll())) as readonly StoredBatch[];
    const adopted: AdoptedBatch[] = [];
    const owned = new Set<string>();
    for (const batch of all) {
      const ageMs = nowMs - batch.seenAt;
      const isGone = ageMs > goneMs || ageMs < -goneMs;
      if (Math.abs(ageMs) > keptMs) await deleteBatch(transaction, batch.id);
      else if (batch.owner === owner || isGone) {
        batches.put({ ...batch, owner, seenAt: nowMs });
        owned.add(batch.id);
        if (!isOwn.has(batch.id))
          adopted.push({ ...batch, jobs: await jobsOf(transaction, batch.id) });
      }
    }
    return { adopted, owned };
  });
}

async function jobsOf(
  transaction: IDBTransaction,
  batch: string,
): Promise<AdoptedBatch["jobs"]> {
  const index = transaction.objectStore("jobs").index("batch");
  const jobs = (await answerOf(index.getAll(batch))) as readonly StoredJob[];
  const files = transaction.objectStore("files");
  const whole = await Promise.all(
    jobs.map(async (job) => ({
      ...job,
      file: ((await answerOf(files.get(job.id))) as File | undefined) ?? null,
    })),
  );
  return whole.sort((one, other) => one.place - other.place);
}
