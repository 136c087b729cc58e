// Sentences of core and platform, which know no contract: a test keeps them the same (V2-850).

/** A name in braces stands for a detail. */
export const outsideSentences = {
  "archive-interrupted": "The archive was interrupted.",
  "archive-incomplete": "The archive is incomplete.",
  "archive-entry":
    "The archive contains an entry that is neither a file nor a folder: {name}",
  "archive-tar": "The file is not a tar archive, or it is damaged.",
  "archive-gzip": "The file is not a gzip archive, or it is damaged.",
  "archive-zip": "The file is not a zip archive, or it is damaged.",
  "archive-encrypted": "The archive is encrypted.",
  "disk-unwritable": "Cannot write to {owner}'s disk.",
  "disk-reserve": "Only the reserved space is left on {owner}'s disk.",
  "disk-full": "There is no space left on {owner}'s disk.",
  "owner-player": "this player",
  "owner-service": "this service",
  "upload-interrupted": "The upload was interrupted.",
  "connections-limit": "Too many connections are open.",
  "request-late": "The request did not arrive in time.",
  "port-taken": "Port {port} on {host} is already in use by another program.",
  "certificate-pair": "The certificate and the private key do not match.",
  "certificate-format":
    "The certificate and its unencrypted private key must be in PEM format.",
  "no-private-network": "This PC is not connected to a private network.",
  "search-failed":
    "The network could not be searched for players and services ({problem}).",
  "redirects-scheme": "it redirects to an address that is not http or https",
  "redirects-limit": "it redirects too often",
  "no-data": "no data arrived for too long",
  "server-other-part":
    "its server sent something other than the rest of the file",
  "server-more": "it sent more bytes than expected",
  "server-range": "its server returned a different range",
  "server-encoding": "its Content-Encoding does not match its data",
  "sync-interrupted":
    "The player stopped during a sync with this service. The next sync is delayed.",
  "sync-interrupted-times":
    "The player stopped {count} times during a sync with this service. The next sync is delayed.",
  "database-rejected": "The player's database rejected it.",
  "image-type":
    "{type} images are not supported; use PNG, JPEG, WebP, AVIF, GIF or SVG.",
  "file-type": "{type} files are not supported.",
} as const;
