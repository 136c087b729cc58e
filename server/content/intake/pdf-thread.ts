// The thread that takes a PDF apart: one page at a time, the next when it is asked for.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { EncryptedPDFError, PDFDocument } from "@cantoo/pdf-lib";
import type { PdfJob, PdfWord } from "./pdf.ts";

const { file, mostPages } = workerData as PdfJob;

function say(word: PdfWord): void {
  parentPort?.postMessage(word);
}

async function takeApart(): Promise<void> {
  const whole = await PDFDocument.load(await readFile(file), {
    updateMetadata: false,
  });
  const count = whole.getPageCount();
  if (count === 0) return say({ refused: "This PDF has no pages." });
  if (count > mostPages)
    return say({
      refused: `This PDF has ${count} pages; at most ${mostPages} are taken.`,
    });
  for (let index = 0; index < count; index += 1) {
    const single = await PDFDocument.create({ updateMetadata: false });
    const [page] = await single.copyPages(whole, [index]);
    if (page) single.addPage(page);
    say({ page: await single.save({ addDefaultPage: false }) });
    if (parentPort) await once(parentPort, "message");
  }
  say({ done: true });
}

takeApart()
  .catch((error: unknown) =>
    say({
      refused:
        error instanceof EncryptedPDFError
          ? "This PDF is locked with a password."
          : "This PDF is damaged: its pages cannot be read.",
    }),
  )
  .finally(() => parentPort?.close());
