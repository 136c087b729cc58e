// Writes the pages of a PDF one by one, each as a PDF of its own; runs only in a thread of the media process.

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { EncryptedPDFError, PDFDocument } from "@cantoo/pdf-lib";
import type { PageExtraction } from "./media-job.ts";

export interface PdfThreadJob {
  readonly file: string;
  readonly pages: PageExtraction;
}

/** The last message contains the problem, or null; or the reason why the file could not be read, or a page not written. */
export type PdfThreadMessage =
  | { readonly page: true }
  | { readonly problem: string | null }
  | { readonly failure: string };

const damagedPdf = "This PDF is damaged: its pages cannot be read.";

/** For the thread's own job; throws when the file cannot be read, or a page not written. */
export async function writePages(): Promise<void> {
  const { file, pages } = workerData as PdfThreadJob;
  const bytes = await readFile(file);
  for await (const page of pagesOf(bytes, pages.most)) {
    if ("problem" in page) return post(page);
    await writeFile(pages.file, page.bytes);
    post({ page: true });
    if (parentPort) await once(parentPort, "message");
  }
  post({ problem: null });
}

type Page = { readonly bytes: Uint8Array } | { readonly problem: string };

/** A document that cannot be read is reported as the last one. */
async function* pagesOf(bytes: Uint8Array, most: number): AsyncGenerator<Page> {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    const count = document.getPageCount();
    if (count === 0) yield { problem: "This PDF has no pages." };
    if (count > most)
      yield {
        problem: `This PDF has ${count} pages; at most ${most} are allowed.`,
      };
    for (let index = 0; index < count; index += 1) {
      const single = await PDFDocument.create({ updateMetadata: false });
      const [page] = await single.copyPages(document, [index]);
      if (page) single.addPage(page);
      yield { bytes: await single.save({ addDefaultPage: false }) };
    }
  } catch (error) {
    yield {
      problem:
        error instanceof EncryptedPDFError
          ? "This PDF is password-protected."
          : damagedPdf,
    };
  }
}

function post(message: PdfThreadMessage): void {
  parentPort?.postMessage(message);
}
