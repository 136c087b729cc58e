// Which processing status may follow which.

import { describe, expect, it } from "vitest";
import {
  isFinalStatus,
  mayFollow,
  processingStatuses,
} from "../../../server/core/processing-status.ts";

describe("the processing status", () => {
  it("goes from none to finished or error, and from error back to the first step for a retry", () => {
    const ways = processingStatuses.flatMap((from) =>
      processingStatuses
        .filter((to) => mayFollow(from, to))
        .map((to) => `${from} → ${to}`),
    );
    expect(ways).toEqual([
      ...["none → downloading", "none → processing", "none → error"],
      ...["none → finished", "downloading → none", "downloading → processing"],
      ...["downloading → error", "processing → none", "processing → error"],
      ...["processing → finished", "error → none"],
    ]);
    expect(processingStatuses.filter(isFinalStatus)).toEqual([
      ...["error", "finished", "not-promoted"],
    ]);
  });
});
