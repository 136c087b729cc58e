// A PDF taken apart in a process of its own, which may hang or run out of memory: every page becomes a file (V4-316).

import { createMediaJudge } from "../../platform/media/media-probe.ts";
import { IngestError } from "./ingest-error.ts";

/** Larger ones do not fit into the memory that taking apart needs. */
export const maxPdfBytes = 256 * 1024 ** 2;
/** A book; each page is a row and a file. */
const maxPages = 1000;

/** Processes of their own: a long PDF holds up no picture. */
const { takeApart } = createMediaJudge();

interface SplitOptions {
  /** Each page in turn is there while `onPage` takes it; the first ones may come twice. */
  readonly pageFile: string;
  readonly onPage: (index: number) => Promise<void>;
  /** What is under way ends at once, with `JudgingEnded`. */
  readonly signal?: AbortSignal | undefined;
}

/** Hands the pages on in order; throws `IngestError`. */
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
