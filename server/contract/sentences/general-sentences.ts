// Sentences that player and content service have in common, and parts of others (V2-850).

/** A name in braces stands for a detail. */
export const generalSentences = {
  "trash-unknown": "There is no {kind} with the identifier {id} in the trash.",
  unforeseen: "Something went wrong. See the log for details.",
  "id-unknown": "There is no {kind} with the identifier {id}.",
  "passwords-at-once":
    "Too many passwords are being checked. Try again in a moment.",
  "server-status": "its server responded with status {status}",
  "server-slow": "its server sends too slowly",
  "server-size-unknown":
    "its server does not report its size, so it may be incomplete",
  "file-empty": "The file is empty.",
  "file-unsupported":
    "The file is not a supported image, video, audio or PDF file.",
  "file-too-large": "The file is too large.",
  "response-large": "The content service's response is too large.",
} as const;
