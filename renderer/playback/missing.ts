// Why a file of the store could not be shown: that it is not there is no fault of its format.

import type { SlideContent } from "../../server/core/slide.ts";

const nouns: Partial<Record<SlideContent["kind"], string>> = {
  ...{ image: "image", video: "video", audio: "sound", pdf: "PDF" },
};

/** The reason as it is, unless the file is gone; then that is the reason. */
export async function reasonFor(
  content: SlideContent,
  error: unknown,
): Promise<unknown> {
  const noun = nouns[content.kind];
  if (noun === undefined || !("url" in content)) return error;
  return (await isMissing(content.url))
    ? new Error(`The file of this ${noun} is missing.`)
    : error;
}

async function isMissing(url: string): Promise<boolean> {
  if (!url.startsWith("asset:")) return false;
  const answer = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  return answer?.status === 404;
}
