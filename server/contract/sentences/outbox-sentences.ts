// Why a local change waits, is refused or conflicts in a content service (V2-850).

/** A name in braces stands for a detail. */
export const outboxSentences = {
  limit: "The limit of {limit} pending changes has been reached.",
  paired:
    "This connection was paired with a PIN: a screen cannot change content in the content service.",
  imported:
    "This connection was imported from an offline bundle: there is no content service to change.",
  invalid: "The change is not valid.",
  "depends-on-none": "The change it depends on was never made.",
  "file-missing": "The file to send is missing.",
  "theirs-kept": "The content service's version was kept.",
  "theirs-deleted":
    "It was deleted in the content service: use theirs, or create it again.",
  "never-sent": "It was never sent and no longer needs to be.",
  "is-sending": "This change is already being sent.",
  "is-done": "This change has already been sent.",
  choose: "choose is required: mine or theirs.",
  "no-conflict": "choose is only allowed for a change with a conflict.",
  "being-sent": "This change is being sent.",
  needed: "Another change depends on this one: {id}.",
  "upload-unknown":
    "There is no such upload, or it has been used or has expired.",
  "asset-unknown": "There is no such asset, or it has no file.",
  "app-of-service": "An app from a content service cannot be sent to one.",
  "file-gone": "The file is missing.",
  unconfirmed: "The content service did not confirm the change.",
  "no-folders":
    "Version 3 of this content service has no {collection}: an asset's folder is just a name.",
  unsupported:
    "Version {version} of this content service does not support {name}.",
  "entry-missing":
    "The content service's response does not contain the requested entry.",
  "created-unnamed":
    "The content service's response does not contain what was created.",
  "several-alike":
    "The content service has several matching entries created since this change was first sent.",
  deleted: "It was deleted in the content service.",
  "changed-too": "Also changed in the content service: {fields}.",
} as const;
