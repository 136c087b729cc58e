// Reads and draws PDFs; a chunk of its own, loaded when the first one is due.

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
  /** Draws a page as large as it fits into so many dots, turned clockwise beyond what it says itself. */
  draw(
    page: number,
    canvas: HTMLCanvasElement,
    box: { readonly width: number; readonly height: number },
    rotation: number,
  ): Promise<void>;
  close(): void;
}

const pageUrl = (name: string): string => new URL(name, document.baseURI).href;
/** What it reads at a time; the store is near. */
const chunkBytes = 512 * 1024;
/** Larger than this, a canvas is refused or empty. */
const maxDots = 64_000_000;

interface Thread {
  readonly port: Worker;
  readonly worker: PDFWorker;
  /** PDFs it was given, one after the other. */
  served: number;
}

/** What a thread holds of PDFs that are over it lets go of late, and its memory with it: none serves more than these. */
const pdfsPerThread = 20;
/** One PDF is seen, one comes, one goes: with what is open there are never more than three in turn. */
const maxAtRest = 2;
/** What does not let go of its PDF by then is still at work on it, and would be for who knows how long. */
const lettingGoMs = 2000;

/** Threads without a PDF, for those to come. */
const atRest: Thread[] = [];

/** Each PDF has a thread to itself: one that takes long keeps no other waiting, and goes without taking one along. */
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
    // What is under way in there fails; nobody waits for it any more.
    void letGo(mine, task.destroy());
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
  // Its declaration forgets that a port is one.
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
  // Drawn aside and handed over whole: a canvas drawn on while it is seen leaves copies of itself behind, freed late.
  const aside = new OffscreenCanvas(width, height);
  await page.render({
    // It asks nothing of it that the other kind has not.
    canvas: aside as unknown as HTMLCanvasElement,
    viewport,
    background: "#ffffff",
  }).promise;
  page.cleanup();
  [canvas.width, canvas.height] = [width, height];
  const picture = aside.transferToImageBitmap();
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(picture);
}

/** The bytes by ranges: pdf.js itself fetches from http alone. */
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
