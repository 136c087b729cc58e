// The processing status of an asset: which step may follow which.

export const processingStatuses = [
  "none",
  "downloading",
  "processing",
  "error",
  "finished",
  "not-promoted",
] as const;

export type ProcessingStatus = (typeof processingStatuses)[number];

/** Begun again after an error, an asset starts from the front; what is finished stays so. */
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

/** Nothing more will happen by itself. */
export function isFinalStatus(status: ProcessingStatus): boolean {
  return (
    status === "finished" || status === "error" || status === "not-promoted"
  );
}
