// Why the content service rejects a request, or something fails at it or on its screens (V2-850).

/** A name in braces stands for a detail. */
export const serviceSentences = {
  "key-invalid": "This API key is not valid.",
  "keys-limit-wrong":
    "This address sent more than {limit} invalid API keys. Try again in {seconds} seconds.",
  "read-only": "A screen has read access only.",
  role: "This requires the role {least}; yours is {role}.",
  limited: "This is not possible with access that is limited to labels.",
  "unavailable-operation": "This operation is not available.",
  "requests-at-once":
    "The limit of {limit} simultaneous {what} has been reached. Try again in {seconds} seconds.",
  "address-limit":
    "This address sent more than {limit} {what}. Try again in {seconds} seconds.",
  "host-forbidden": "This host name is not allowed for this service.",
  "screens-outside":
    "Your access is limited to screens with certain labels; {what}. Nothing was changed.",
  "outside-screen": "this affects a screen that has none of them",
  "outside-label": "this affects the screens of another label",
  "outside-other-label": "this changes the screens of another label",
  "outside-playlist": "this playlist also plays elsewhere",
  "outside-asset": "this asset is also used elsewhere",
  "outside-last": "a screen must keep one of them",
  "outside-apps": "edge apps can play anywhere",
  "labels-role": "labels can only limit the editor and operator roles",
  "labels-none": "labels must name at least one label",
  "group-unknown":
    "There is no group with the id {id} that screens can be added to.",
  "id-unknown": "There is no {kind} with the id {id}.",
  "label-unknown": "There is no label {name}.",
  "label-ambiguous":
    "Several labels have the name {name}. Use the id of one of them.",
  "key-exists": "This API key already exists.",
  "team-limit": "A team can have at most {limit} {kind}.",
  "adopted-unknown": "There is no such adopted player.",
  "login-name": "username is required with a password",
  "address-taken": "A screen with this address already exists.",
  "player-address":
    "address must be a host name or IP address, with a port if needed, such as 192.168.1.20; got {value}",
  "player-address-reserved":
    "address must be the address of a player on a network; this one is reserved",
  "rule-disabled": "The rule was disabled.",
  "rule-deleted": "The rule was deleted.",
  "incident-acknowledged": "The incident was acknowledged.",
  "incident-ended": "This incident has already ended.",
  "no-mail-server": "This service has no mail server.",
  "no-webhook": "The rule no longer has a webhook.",
  "mail-slow": "The mail server is too slow.",
  stopping: "The service is stopping.",
  "mail-unreachable": "The mail server cannot be reached: {reason}.",
  "mail-response": "The mail server responded: {response}",
  "mail-accepted": "The mail server accepted it: {response}",
  "message-failed": "The message could not be sent. See the log for details.",
  "request-failed": "The request failed: {reason}.",
  "server-status": "The server responded with status {status}.",
  "server-redirects":
    "The server redirected the request (status {status}). Redirects are not followed.",
  "disk-full": "The disk is full.",
  "files-unavailable": "The service's files are not available right now.",
  "file-unknown": "The file does not exist.",
  "row-changed":
    "The row has changed since it was read, so the request was not applied",
  "stored-damaged":
    "Its file on the service's disk is damaged. Upload it again.",
  "stored-missing":
    "Its file is missing from the service's disk. Upload it again, or put the file back.",
  "stored-missing-bucket":
    "Its file is missing from the service's bucket. Upload it again, or put the file back.",
  "stored-lost": "Its file was lost when the database was restored.",
  "source-too-large": "The source is larger than the limit of {limit} bytes.",
  "source-status":
    "The source cannot be downloaded: its server responded with status {status}.",
  "source-slow": "The source cannot be downloaded: it took too long.",
  "source-failed": "The source cannot be downloaded: {reason}.",
  "source-empty": "The source is empty.",
  "source-none": "The asset has neither a source_url nor a file.",
  "source-size": "The source has {bytes} bytes; source_size is {announced}.",
  "source-md5": "The source's MD5 is {md5}; source_md5 is {announced}.",
  "processing-interrupted":
    "Processing was stopped: every attempt was interrupted.",
  "processing-unforeseen":
    "Something went wrong during processing. See the service's log for details.",
  "pdf-too-large":
    "This PDF is larger than the limit of {limit} bytes for splitting it into pages.",
  "page-unreachable": "The asset's address cannot be reached: {reason}.",
  "pages-slow":
    "Only {done} of {count} pages responded within two minutes; send fewer at once.",
  "source-scheme": "source_url must be an http or https address.",
  "source-address-long": "source_url must have at most {limit} characters.",
  "source-required": "file or source_url is required",
  "upload-parts": "The multipart body is damaged or incomplete.",
  "file-deleted": "A file was deleted a moment ago.",
  "pin-used": "This PIN was just used.",
  "pin-unknown":
    "No player that is waiting to be paired shows this PIN. It may be mistyped, already used, or older than 15 minutes.",
  "pins-limit":
    "More than {limit} wrong PINs were sent with this key. Try again in {seconds} seconds.",
  "already-paired": "This player is already paired.",
  unpaired: "This player has not been paired yet.",
  "unclaimed-limit":
    "The limit of {limit} players waiting to be paired has been reached.",
  "screen-online":
    "The player for this screen is online. Send replace_online: true to replace it anyway.",
  "screen-deleted": "This screen was deleted.",
  "sockets-limit":
    "No more sockets can be opened now. Try again in {seconds} seconds.",
  "other-label": "groups must not contain the label of another screen",
  "built-in-group": "A built-in group cannot be {what}.",
  "built-in-label": "The screens of a built-in label cannot be changed",
  "command-no-screen": "At least one screen must be among screens and groups.",
  "command-until": "arguments.until must be in the future; got {value}",
  "last-administrator":
    "The team needs an administrator. Make another person an administrator first.",
  "factor-first": "Set up a new second factor first.",
  "person-exists": "A person with this email address already exists.",
  "link-expired":
    "This link has been used or replaced, or is older than {hours} hours. Ask an administrator for a new one.",
  "sign-ins-limit": "Too many failed sign-ins. Try again in {seconds} seconds.",
  "sign-ins-begun-limit":
    "Too many sign-ins were started. Try again in {seconds} seconds.",
  "passkeys-address":
    "Passkeys need an https address with a host name. Start the service with --public-url.",
  "passkeys-limit": "A person can have at most {limit} passkeys.",
  "passkey-known": "This passkey has already been added.",
  "passkey-refused":
    "This passkey is unknown or not valid, or signing in took too long.",
  "password-links-limit":
    "Too many links requested. Try again in {seconds} seconds.",
  "password-link-over":
    "This link has been used or replaced, or is older than an hour. Request a new one.",
  "password-links-busy":
    "Too many links are being sent. Try again in a moment.",
  "password-links-none":
    "This service cannot send links. Ask an administrator for one.",
  "sign-in-wrong": "The email address, the password or the code is wrong.",
  "code-required":
    "A code from the authenticator app, or a recovery code, is required.",
  "mail-impossible":
    "send_email must be false: this service has no mail server. Set --smtp-url and --smtp-from.",
  "emails-impossible":
    "emails must be empty: this service has no mail server. Set --smtp-url and --smtp-from.",
  "webhook-secret": "webhook.secret is required",
  "webhook-scheme": "webhook.url must be an http or https address",
  "webhook-private": "webhook.url must not be an address on a private network",
  "places-away": "Place search is not available right now.",
  "report-days":
    "from must be at most {limit} days before to, both included; got {days} days",
  "assertion-subject": "assets or folders is required",
  "assertion-interval": 'every_minutes is required if kind is "at-least"',
  breaks:
    "This change would break {names}, so it was not applied. Send {header}: true to apply it anyway.",
  unchecked:
    "The assertions cannot be checked: {problem} Nothing was changed. Send {header}: true to apply it without a check.",
  "simulation-rows":
    "Teams with more than {limit} rows in {table} cannot be simulated.",
  "simulations-limit":
    "Too many simulations are waiting. Try again in a few seconds.",
  "simulation-slow": "This cannot be simulated within {seconds} seconds.",
  "command-late": "The command arrived after it had expired.",
  "command-unknown": "This player does not know this command.",
  "command-unsupported": "This player does not support this command.",
  "command-arguments": "The command's arguments are not valid: {what}",
  "command-failed": "The command failed.",
  "command-unrecorded": "The command could not be recorded.",
  "command-followed":
    "Another command followed before this one could be verified on the screen.",
  "command-restarted": "The player restarted before this could be verified.",
  "takeover-ended":
    "The takeover ended before it could be verified on the screen.",
  "not-here-yet": "This asset is not on this player yet.",
  "not-shown": "It could not be shown within {seconds} seconds.",
  "not-shown-because":
    "It could not be shown within {seconds} seconds: {reason}",
  "shown-unverified":
    "It was shown, but could not be verified on the screen within {seconds} seconds.",
  "shown-blank": "It was shown, but the screen is blank.",
  "shown-frozen": "It was shown, but the picture on the screen is frozen.",
  "shown-other": "It was shown, but the screen shows something else.",
  "logs-late": "The logs could not be sent in time.",
  "screenshot-late": "The screenshot could not be sent in time.",
  "screenshot-large": "The screenshot is larger than the service accepts.",
  "logs-large": "The logs are larger than the service accepts.",
  "waits-hours": "Waiting for this player's download hours.",
  "waits-approval": "Waiting for approval on this player.",
  "waits-time": "Waiting for the time when this player applies changes.",
  "waits-removal":
    "Waiting for approval on this player: the changes would remove most of the content.",
  postponed: "Postponed on this player.",
  "outside-all": "{name} affect all screens",
  "watched-limit":
    "{limit} screens are being watched already. Try again in {seconds} seconds.",
} as const;
