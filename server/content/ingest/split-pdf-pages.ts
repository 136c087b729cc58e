// Splits a PDF into one file per page, in a separate process that may hang or run out of memory (V4-316).

import { createMediaJudge } from "../../platform/media/media-probe.ts";
import { IngestError } from "./ingest-error.ts";

/** Larger documents do not fit into the memory that splitting needs. */
export const maxPdfBytes = 256 * 1024 ** 2;
/** The size of a book; each page is a row and a file. */
const maxPages = 1000;

/** Separate processes: a long PDF does not delay images. */
const { takeApart } = createMediaJudge();

interface SplitOptions {
  /** Holds one page at a time while `onPage` handles it; the first pages may come twice. */
  readonly pageFile: string;
  readonly onPage: (index: number) => Promise<void>;
  /** Aborts immediately, with `JudgingEnded`. */
  readonly signal?: AbortSignal | undefined;
}

/** Passes the pages to `onPage` in order; throws `IngestError`. */
export async function splitPdf(
  file: string,
  { pageFile, onPage, signal }: SplitOptions,
): Promise<void> {
  const pages = { file: pageFile, most: maxPages };
  const media = await takeApart({ file, pages }, onPage, signal);
  if (media === null)
    throw new IngestError("This PDF is damaged: its pages cannot be read.");
  if (media.problem !== null) throw new IngestError(media.problem);
}
