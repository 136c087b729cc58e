// Why the player rejects a request, and what is wrong with what it was given (V2-850).

/** A name in braces stands for a detail. */
export const playerSentences = {
  starting: "The player is still starting.",
  "no-screen": "This player has no screen.",
  "disk-full": "This player's disk is full.",
  "disk-reserve":
    "This player's disk is too full for this: only the reserved space would be left.",
  "disk-reserve-left":
    "This player's disk is full: only the reserved space is left.",
  "disk-unwritable": "This player's disk cannot be written to.",
  "store-unwritable":
    "This player's disk cannot be written to. The player keeps playing, but nothing can be changed.",
  "store-full":
    "This player's disk is full and cannot be written to. The player keeps playing, but nothing can be changed until there is space.",
  "database-locked":
    "Another program is using this player's database. Nothing was changed. Try again.",
  descriptors: "This player has too many open files and connections.",
  "requests-waiting": "Too many requests are waiting on this connection.",
  "body-too-large": "The body is too large.",
  "body-incomplete": "The body is incomplete.",
  "host-forbidden": "This host name is not allowed for this player.",
  "token-required": "An access token is required.",
  "token-invalid": "This access token is not valid.",
  "not-a-secret": "This is neither the password nor a valid access token.",
  "secrets-limit":
    "This address sent more than {limit} invalid access tokens or passwords. Try again in {seconds} seconds.",
  "phone-forbidden":
    "A phone that signed in with the code on the screen cannot change who has access. Sign in with the password or an access token.",
  "phone-code-used": "This code has already been used or has expired.",
  "token-name-taken": "A token named {name} already exists.",
  "tokens-limit":
    "The limit of {limit} tokens has been reached; revoke one first.",
  "token-unknown": "Token {id} not found.",
  "token-last":
    "This is the last token. Create another one first, or you will lose access to this player.",
  "token-none":
    "There is no access token. Create one first, or you will lose access to this player.",
  "pin-required": "The current PIN is required.",
  "setting-invalid": "A setting is not valid.",
  "hotkey-required": 'exit_hotkey is required while profile is "unattended"',
  "hotkey-first": 'profile cannot be "unattended" without an exit_hotkey',
  "power-off": "The setting power_allowed is off on this player.",
  "port-rights":
    "Port {port} requires administrator rights. Choose 1024 or higher.",
  "address-absent": "This PC does not have the address {host} at the moment.",
  "certificate-unreadable": "The file {file} cannot be read.",
  "name-required": "name is required for an upload.",
  "upload-token-unknown": "No upload with this token is available.",
  "address-kind":
    "uri must be the uri of an upload, or an http, https or rtsp address.",
  "address-unreachable": "The address cannot be reached: {reason}.",
  "asset-file-missing": "This asset's file is missing.",
  "asset-file-pending": "This asset's file is still downloading.",
  "asset-unknown": "There is no asset with this identifier.",
  "play-times-pair":
    "play_time_from and play_time_to must be set together, or both left out.",
  "play-times-differ":
    "play_time_from and play_time_to must differ; leave both out to play all day.",
  "trash-nothing": "There is nothing with the identifier {id} in the trash.",
  "id-taken": "A {kind} with the identifier {id} already exists.",
  "playlist-full": "The playlist would have more than {limit} items.",
  "playlist-changed":
    "The items of playlist {id} have changed, so items_revision is outdated and the request was not applied.",
  "upload-limit": "Too many uploads are in progress.",
  "uploads-at-once":
    "The limit of {limit} simultaneous uploads has been reached. Try again in {seconds} seconds.",
  "upload-size-differs": "An upload with this identifier has a different size.",
  "upload-unknown": "X-Upload-Id does not match any upload in progress.",
  "upload-busy": "Another piece of this upload is being received.",
  "upload-canceled": "This upload was canceled.",
  "upload-none": "There is no upload with this identifier.",
  "upload-missing": "No file was uploaded in this field.",
  "upload-piece-size":
    "Content-Range specifies {announced} bytes; the body has {sent}.",
  "file-unknown": "File {file} not found.",
  "file-gone": "This file is missing.",
  "file-bad": "This file is damaged.",
  "file-changed": "The file has changed since the download started.",
  "hash-unknown": "There is no file with this hash.",
  "app-entry-remote":
    "The entry point is remote ({type}) but has no http or https address.",
  "app-files-limit": "The archive contains more than {limit} files.",
  "app-file-twice": "The archive contains {name} twice.",
  "app-size-limit": "The app is larger than the limit of {limit} bytes.",
  "app-path-outside":
    "The archive contains a path that points outside it: {name}.",
  "app-none":
    "This archive is not an app: it has no index.html or screenly.yml at its top level.",
  "app-entry-missing": "Entry point {name} is missing from the app.",
  "backup-unknown": "There is no backup with this name.",
  "backup-gone": "This backup no longer exists.",
  "backup-changed": "The backup has changed since the download started.",
  "backup-none-chosen": "No backup was selected.",
  "restore-busy": "Another restore is in progress.",
  "examine-limit":
    "The limit of {limit} archives examined at once has been reached. Try again.",
  "archive-not-ours": "This is not a backup of this player.",
  "archive-neither": "This is neither a backup of this player nor of Anthias.",
  "archive-newer":
    "The archive was created by a newer version (format {written}; this version reads up to {format}).",
  "archive-manifest": "The archive's manifest is damaged.",
  "archive-no-database": "The archive does not contain a database.",
  "archive-files-missing":
    "Files listed in the manifest are missing from the archive.",
  "archive-files-extra":
    "The archive contains files that its database does not list.",
  "archive-too-many": "The archive contains too many files.",
  "archive-too-large":
    "The archive expands to more than the limit of {limit} bytes.",
  "archive-no-table": "Its database has no assets table.",
  "archive-table-format": "Its assets table has an unexpected format.",
  "archive-database-damaged": "Its database is damaged.",
  "archive-damaged": "This backup is damaged.",
  "archive-row": "Its database contains {what}.",
  "row-asset-unreadable": "an asset that cannot be read",
  "row-asset-foreign": "an asset this player could not have written",
  "row-asset-invalid": "an asset that cannot be shown: {name}",
  "row-playlist-unreadable": "a playlist that cannot be read",
  "row-playlist-invalid": "a playlist that cannot be played: {name}",
  "row-setting-unreadable": "a setting that cannot be read",
  "row-app-unreadable": "an app that cannot be read",
  "row-app-invalid": "an app that cannot be shown",
  "row-file-missing": "a file that is missing from the archive: {name}",
  "entry-twice": "The archive contains a file twice: {name}",
  "entry-outside":
    "The archive contains a file outside its two folders: {name}",
  "entry-unlisted":
    "The archive contains a file that its manifest does not list: {name}",
  "entry-size":
    "The archive contains a file whose size differs from its manifest: {name}",
  "entry-damaged": "The archive contains a damaged file: {name}",
  "import-address": "This player cannot show addresses such as {address}",
  "import-file-missing": "Its file is missing from the archive.",
  "import-file-unsupported":
    "Its file is not a supported image, video, audio or PDF file.",
  "backup-file-missing":
    "Its file was already missing when the backup was created.",
  "backup-file-changed": "The file {hash} has changed on disk.",
  "manager-only": "Nothing plays on this PC: it runs the manager only.",
  "nothing-due": "Nothing is scheduled right now.",
  "asset-not-due": "Asset {id} is not scheduled now: {why}",
  "in-no-playlist": "It is not in any playlist.",
  outranked: "Overridden by {playlist}, which has priority {priority}.",
  "predicate-false": "Its schedule rule does not apply: {rule}",
  disabled: "It is disabled.",
  "dates-missing": "Its start or end date is missing.",
  "dates-reversed": "Its end date is before its start date.",
  "outside-dates": "It plays from {start} until {end}.",
  "outside-hours": "Plays only {hours}.",
  "other-groups":
    "Only for screens in {groups}, and this screen isn't one of them.",
  "file-downloading": "Its file is still downloading.",
  quarantined: "It failed to play and will not be retried until it changes.",
  "quarantined-until": "It failed to play. Next try at {time}.",
  "playlist-empty": "It is empty.",
  "playlist-unplayable": "None of its {count} items can play now.",
  "until-past": "until must be in the future.",
  "takeover-none": "No takeover is running.",
  "screenshot-failed": "The screenshot could not be taken.",
  "streams-limit": "The limit of {limit} event streams has been reached.",
  "log-days": "from must be at most {days} days before to.",
  "local-changes-none": "There are no local changes to {id}.",
  "playlist-asset": "{field} must be the identifier of an asset; got {value}",
  "changed-elsewhere":
    "{fields} no longer has the expected value, so nothing was changed.",
  "app-yaml": "{name} is not valid YAML.",
  "app-manifest": "{name} is not valid: {where}.",
  "app-manifest-large": "{name} is too large.",
} as const;
