// Why an offline bundle cannot be exported or imported (V2-850).

/** A name in braces stands for a detail. */
export const bundleSentences = {
  "nothing-to-export": "There is no applied plan to export.",
  "import-busy": "Another import is in progress.",
  "file-removed":
    "A file was removed during the import. Import the offline bundle again.",
  "key-unknown": "There is no key with this fingerprint.",
  untrusted:
    'The offline bundle from "{origin}" is signed with an untrusted key: {fingerprint}. Compare it with the key shown on that player, then import it again with trust={key}.',
  "asset-missing": "The file for {name} is missing from this player.",
  "not-a-bundle": "This is not an offline bundle.",
  newer: "The offline bundle was created by a newer version (format {format}).",
  damaged: "The offline bundle is damaged at {place}.",
  "lists-twice":
    "The offline bundle lists an item twice, or one that it does not contain.",
  "plan-invalid": "The offline bundle's plan is not valid JSON.",
  "signature-unreadable": "The offline bundle's signature cannot be read.",
  "signature-wrong":
    "The offline bundle's signature does not match its content.",
  "part-missing": "This is not an offline bundle: {name} is missing.",
  "too-large": "The offline bundle is larger than the limit of {limit} bytes.",
  "file-unlisted":
    "The archive contains a file that its plan does not list: {name}",
  "file-size": "The size of a file differs from the plan: {name}",
  "file-damaged": "A file is damaged: {name}",
  "files-missing": "Files listed in the plan are missing from the archive.",
} as const;
