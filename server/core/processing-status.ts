// Processing status of an asset: which status may follow which.

export const processingStatuses = [
  "none",
  "downloading",
  "processing",
  "error",
  "finished",
  "not-promoted",
] as const;

export type ProcessingStatus = (typeof processingStatuses)[number];

/** After an error an asset starts again from the first step; finished is final. */
const next: Readonly<Record<ProcessingStatus, readonly ProcessingStatus[]>> = {
  none: ["downloading", "processing", "finished", "error"],
  downloading: ["none", "processing", "error"],
  processing: ["none", "finished", "error"],
  error: ["none"],
  finished: [],
  "not-promoted": [],
};

export function mayFollow(
  from: ProcessingStatus,
  to: ProcessingStatus,
): boolean {
  return next[from].includes(to);
}

/** No further change happens by itself. */
export function isFinalStatus(status: ProcessingStatus): boolean {
  return (
    status === "finished" || status === "error" || status === "not-promoted"
  );
}
