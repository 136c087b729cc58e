// Reads and draws PDFs; a separate chunk, loaded when the first PDF is due.

import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  PDFDataRangeTransport,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
} from "pdfjs-dist/legacy/build/pdf.mjs";

export interface OpenPdf {
  readonly pageCount: number;
  /** Draws a page as large as fits into the given size in pixels, rotated clockwise in addition to the page's own rotation. */
  draw(
    page: number,
    canvas: HTMLCanvasElement,
    box: { readonly width: number; readonly height: number },
    rotation: number,
  ): Promise<void>;
  close(): void;
}

const pageUrl = (name: string): string => new URL(name, document.baseURI).href;
/** Bytes read per request; the store is local. */
const chunkBytes = 512 * 1024;
/** A larger canvas is refused or stays empty. */
const maxDots = 64_000_000;

interface Thread {
  readonly port: Worker;
  readonly worker: PDFWorker;
  /** Number of PDFs this worker has been given, one after the other. */
  served: number;
}

/** A worker releases the data of closed PDFs late, and with it their memory: each worker serves no more PDFs than this. */
const pdfsPerThread = 20;
/** One PDF is visible, one loads, one closes: with the open ones there are never more than three workers in rotation. */
const maxAtRest = 2;
/** A worker that has not released its PDF by then is still busy with it, for an unknown time. */
const lettingGoMs = 2000;

/** Idle workers, reused for the next PDFs. */
const atRest: Thread[] = [];

/** Each PDF has a worker to itself: a slow PDF delays no other, and terminating its worker affects no other. */
export async function openPdf(
  url: string,
  signal?: AbortSignal,
): Promise<OpenPdf> {
  const source = await openSource(url);
  signal?.throwIfAborted();
  const mine = takeThread();
  const task = getDocument({
    range: source,
    rangeChunkSize: chunkBytes,
    disableAutoFetch: true,
    disableStream: true,
    worker: mine.worker,
    useWorkerFetch: true,
    cMapUrl: pageUrl("pdf/cmaps/"),
    standardFontDataUrl: pageUrl("pdf/standard_fonts/"),
    wasmUrl: pageUrl("pdf/wasm/"),
    iccUrl: pageUrl("pdf/iccs/"),
    verbosity: VerbosityLevel.ERRORS,
  });
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    source.abort();
    // Pending work in the worker fails; nothing awaits it any more. A worker that cannot be kept for the next PDF is ended.
    letGo(mine, task.destroy()).catch(() => end(mine));
  };
  const closed = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener("abort", () => {
      close();
      reject(new Error("Nobody waits for this PDF any more."));
    });
  });
  closed.catch(() => undefined);
  try {
    const pdf = await Promise.race([task.promise, source.broken, closed]);
    return {
      pageCount: pdf.numPages,
      draw: (...args) => draw(pdf, ...args),
      close,
    };
  } catch (error) {
    close();
    throw new Error(sentenceOf(error), { cause: error });
  }
}

function takeThread(): Thread {
  const mine = atRest.pop() ?? startThread();
  mine.served += 1;
  return mine;
}

function startThread(): Thread {
  const port = new Worker(pageUrl("pdf.worker.js"), { type: "module" });
  // The type declaration omits that a port is accepted.
  const worker = new PDFWorker({ port: port as unknown as null });
  return { port, worker, served: 0 };
}

async function letGo(thread: Thread, done: Promise<void>): Promise<void> {
  const late = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), lettingGoMs);
  });
  const hasLetGo = await Promise.race([
    done.then(
      () => true,
      () => false,
    ),
    late,
  ]);
  const isFresh = thread.served < pdfsPerThread && atRest.length < maxAtRest;
  if (hasLetGo && isFresh) atRest.push(thread);
  else end(thread);
}

function end({ worker, port }: Thread): void {
  worker.destroy();
  port.terminate();
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  box: { readonly width: number; readonly height: number },
  rotation: number,
): Promise<void> {
  const page = await pdf.getPage(number);
  const angle = (page.rotate + rotation) % 360;
  const plain = page.getViewport({ scale: 1, rotation: angle });
  const scale = Math.min(
    box.width / plain.width,
    box.height / plain.height,
    Math.sqrt(maxDots / (plain.width * plain.height)),
  );
  const viewport = page.getViewport({ scale, rotation: angle });
  const [width, height] = [viewport.width, viewport.height].map((dots) =>
    Math.max(1, Math.round(dots)),
  ) as [number, number];
  // Drawn offscreen and transferred in one step: a canvas that is drawn on while visible leaves copies of itself behind, freed
  // late.
  const aside = new OffscreenCanvas(width, height);
  await page.render({
    // pdf.js uses nothing of it that an OffscreenCanvas lacks.
    canvas: aside as unknown as HTMLCanvasElement,
    viewport,
    background: "#ffffff",
  }).promise;
  page.cleanup();
  [canvas.width, canvas.height] = [width, height];
  const image = aside.transferToImageBitmap();
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(image);
}

/** Serves the bytes by ranges: pdf.js itself fetches over http only. */
class Source extends PDFDataRangeTransport {
  readonly #url: string;
  readonly #ending = new AbortController();
  #fail = (_error: Error): void => undefined;
  readonly broken: Promise<never>;

  constructor(url: string, size: number) {
    super(size, null);
    this.#url = url;
    this.broken = new Promise((_resolve, reject) => (this.#fail = reject));
    this.broken.catch(() => undefined);
  }

  override requestDataRange(begin: number, end: number): void {
    readRange(this.#url, begin, end, this.#ending.signal).then(
      (chunk) => {
        if (!this.#ending.signal.aborted) this.onDataRange(begin, chunk);
      },
      () => this.#fail(new Error(unreadable)),
    );
  }

  override abort(): void {
    this.#ending.abort();
  }
}

async function openSource(url: string): Promise<Source> {
  const answer = await fetch(url, { method: "HEAD" }).catch(() => null);
  const size = Number(answer?.headers.get("content-length") ?? 0);
  if (!answer?.ok || size === 0) throw new Error(unreadable);
  return new Source(url, size);
}

async function readRange(
  url: string,
  begin: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const range = `bytes=${begin}-${end - 1}`;
  const answer = await fetch(url, { headers: { range }, signal });
  if (answer.status !== 206) throw new Error(`It answered ${answer.status}.`);
  return new Uint8Array(await answer.arrayBuffer());
}

const unreadable = "This PDF could not be read.";

function sentenceOf(error: unknown): string {
  if (error instanceof PasswordException)
    return "This PDF is locked with a password.";
  if (error instanceof InvalidPDFException)
    return "This file is damaged, or no PDF.";
  return unreadable;
}
