// A picture of what a view shows, with a deadline: one that is asked for may never come while what draws stands still.

import type { NativeImage, Rectangle, WebContents } from "electron";
import { Failure } from "../server/contract/ipc.ts";

const pictureWithinMs = 5000;

/** Of the whole view or a part of it; rejects where none comes in time. */
export function pictureOf(
  contents: Pick<WebContents, "capturePage">,
  part?: Rectangle,
): Promise<NativeImage> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const failure = new Failure("unavailable", "The glass gave no picture.");
    late = setTimeout(() => reject(failure), pictureWithinMs);
  });
  const picture = contents.capturePage(part);
  return Promise.race([picture, silence]).finally(() => clearTimeout(late));
}
