// Shows a PDF page by page: the next page is drawn beneath the visible one.

import { framePainted } from "./paint.ts";
import type { OpenPdf } from "./lazy/pdf.ts";
import {
  add,
  type ContentOf,
  type MediumListener,
  type Medium,
} from "./medium.ts";

/** A PDF that takes longer to open and draw fails. */
const timeoutMs = 12_000;

export function createPdf(): Medium<"pdf"> {
  const element = document.createElement("section");
  element.className = "pdf";
  let front = add(element, "canvas", "page");
  let back = add(element, "canvas", "page");
  let open: OpenPdf | null = null;
  let content: ContentOf<"pdf"> | null = null;
  let pages: readonly number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  /** Closes the current PDF, whether it is already open or not. */
  let closing = new AbortController();
  /** Counts PDFs and rests: results of an earlier generation are dropped. */
  let generation = 0;

  async function load(nextContent: ContentOf<"pdf">): Promise<void> {
    const mine = ++generation;
    content = nextContent;
    closing = new AbortController();
    const { signal } = closing;
    const late = await import("./lazy/pdf.ts");
    const pdf = await inTime(late.openPdf(nextContent.url, signal));
    if (mine !== generation) return pdf.close();
    open = pdf;
    pages = pagesOf(nextContent, pdf.pageCount);
    const [first] = pages;
    if (first === undefined)
      throw new Error("This PDF has none of the selected pages.");
    await inTime(drawOn(front, first));
  }

  async function drawOn(
    canvas: HTMLCanvasElement,
    page: number,
  ): Promise<void> {
    if (!open || !content) return;
    const { clientWidth, clientHeight } = element;
    const box = {
      width: clientWidth * window.devicePixelRatio,
      height: clientHeight * window.devicePixelRatio,
    };
    try {
      await open.draw(page, canvas, box, content.rotation);
    } catch (error) {
      throw new Error(`Page ${page} of this PDF cannot be rendered.`, {
        cause: error,
      });
    }
  }

  /** The page at this index is on the screen: draws the next one and shows it once its time has come and it is drawn. */
  async function stay(
    at: number,
    mediumListener: MediumListener,
  ): Promise<void> {
    const mine = generation;
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, (content?.secondsPerPage ?? 1) * 1000);
    });
    const next = pages[at + 1];
    try {
      if (next !== undefined) await inTime(drawOn(back, next));
      await isOver;
      if (mine !== generation) return;
      if (next === undefined) return mediumListener.onEnded();
      [front, back] = [back, front];
      front.classList.add("seen");
      back.classList.remove("seen");
      await framePainted();
      if (mine === generation) turnPages(at + 1, mediumListener);
    } catch (error) {
      // What fails after the PDF has left the screen fails nothing.
      if (mine === generation) throw error;
    }
  }

  function turnPages(at: number, mediumListener: MediumListener): void {
    stay(at, mediumListener).catch((error: unknown) =>
      mediumListener.onFailed((error as Error).message),
    );
  }

  function rest(): void {
    generation++;
    clearTimeout(timer);
    clearTimeout(deadline);
  }

  async function inTime<T>(work: Promise<T>): Promise<T> {
    let mine: typeof deadline;
    const late = new Promise<never>((_resolve, reject) => {
      mine = setTimeout(() => {
        reject(new Error("This PDF takes too long to render."));
        closing.abort();
      }, timeoutMs);
    });
    deadline = mine;
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(mine);
    }
  }

  return {
    element,
    load: async (nextContent) => {
      front.classList.add("seen");
      back.classList.remove("seen");
      await load(nextContent);
    },
    start: (mediumListener) => turnPages(0, mediumListener),
    fadeOut: () => undefined,
    rest,
    release: () => {
      rest();
      closing.abort();
      open = null;
      content = null;
      for (const canvas of [front, back])
        canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(null);
    },
  };
}

function pagesOf(
  nextContent: ContentOf<"pdf">,
  count: number,
): readonly number[] {
  const all = Array.from({ length: count }, (_page, at) => at + 1);
  return nextContent.pages?.filter((page) => page >= 1 && page <= count) ?? all;
}
