// Why a connection to a content service, or something of it, fails (V2-850).

/** A name in braces stands for a detail. */
export const connectionSentences = {
  none: "There are no connections.",
  several: "There are several connections: choose one with account_id.",
  limit: "The limit of {limit} connections has been reached.",
  "plan-address":
    "base_url cannot be set on a connection from an offline bundle.",
  "token-for-host": "token is required when base_url changes to another host.",
  "hours-pair":
    "download_from and download_until must be set together, or both left out.",
  "nothing-held": "There are no changes to apply.",
  "nothing-earlier": "There is no earlier plan to restore.",
  "plan-replaced": "The plan has been replaced by a newer one.",
  "no-sync": "This player was started without sync.",
  "sync-starting": "Sync has not started yet.",
  "connection-gone": "This connection no longer exists.",
  "key-unreadable": "The key for this connection cannot be read.",
  "token-missing":
    "The token for this connection is not stored on this PC. Enter it again.",
  "no-token": "This connection has no token.",
  "token-rejected":
    "The content service does not accept this token. Enter another one.",
  "folder-unwritable": "The player's folder cannot be written to.",
  "folder-unreadable": "The player's folder cannot be read.",
  "service-status": "The content service responded with status {status}.",
  "not-json": "The content service's response is not valid JSON.",
  endless: "The content service's list does not end.",
  stranger: "Something other than the service responded with status {status}.",
  portal:
    "A web page was received instead of a response. This network may require signing in, or the address is not a content service.",
  "portal-file":
    "A web page was received instead of the file. This network may require signing in.",
  "proxy-login": "The proxy requires a user name and password.",
  "no-service": "There is no content service at this address.",
  "no-version":
    "There is no content service with version {version} at this address.",
  "not-a-list": "The content service's response is not a list.",
  "unexpected-row":
    "The content service's response contains an unexpected row.",
  "not-a-playlist": "The content service's response is not a playlist.",
  unexpected:
    "Unexpected response. Check that the address is a content service.",
  "no-screens": "This content service has no list of screens.",
  "no-report": "This content service does not keep this report.",
  "address-invalid": "The address is not a web address.",
  "no-link": "This address does not offer the player link.",
  "no-pairing": "The service at this address does not support pairing.",
  "pairing-encrypted":
    "The credential for this pairing is encrypted by the desktop app and cannot be read right now.",
  "screen-missing": "The service has no screen for this player.",
  "screen-removed": "The service no longer has this screen.",
  "screen-checked":
    "The service reports that this screen no longer exists. Checking again before acting on it.",
  "app-list": "The app's file list is not valid.",
  "file-damaged": "The file is damaged at its source. {why}",
  "file-incomplete":
    "The file is incomplete or damaged at its source, which does not report its size. {why}",
  "file-md5": "Its MD5 is {md5}; the content service reported {announced}.",
  "file-bytes":
    "It has {bytes} bytes; the content service reported {announced}.",
  "file-more": "Its server sent more data than expected.",
  "file-status": "The file's server responded with status {status}.",
  "app-files-limit": "The app has more than {limit} files.",
  "app-path-outside": "The app contains a path that points outside it: {name}.",
  "app-file-twice": "The app contains {name} twice.",
  "app-no-md5":
    "The content service does not provide an MD5 checksum for {name}, so the file cannot be verified.",
  "app-no-address":
    "The content service does not provide a usable address for {name}.",
  "app-not-listed":
    "The content service does not list {name}, which is part of the app.",
  "app-not-deployed": "Nothing is deployed on this app's channel.",
  "app-entry-address": "The entry point is not a valid address.",
  "app-no-files": "Revision {revision} of this app has no files.",
  "app-no-installation": "The content service has no such installation.",
  "app-version-3":
    "Version 3 does not support edge apps. Connect to this content service with version 4.1 or 4.0.",
  "app-installation-missing":
    "The content service does not provide the app's installation.",
  "status-unknown": 'Its status "{status}" is not known to this player.',
  "group-unknown": "The content service has no group with this name.",
  "label-unknown": "The content service has no label with this name.",
  "asset-group-unknown":
    "The content service has no asset group with this title.",
  "items-missing": "The content service does not provide its items. {why}",
  "files-missing":
    "The content service does not provide this app's files. {why}",
  "predicate-invalid":
    "Its predicate is not valid: at position {position}, {what}",
  "host-off": "The content service is not running.",
  "host-off-because": "The content service is not running: {reason}",
  "host-stopped": "The content service stopped unexpectedly.",
  "host-crashes":
    "The content service stopped unexpectedly {count} times within ten minutes.",
  "host-unencrypted":
    "Keys would be sent over the network unencrypted. Choose a certificate and its key first, or allow access from this PC only.",
  "nearby-gone": "This service can no longer be found.",
  "nearby-no-name": "The name {host} cannot be resolved.",
  "service-until": "{problem} The certificate's expiration date is {date}.",
  "nearby-public":
    "{host} is not on a private network. If you trust it, enter its address.",
  "the-service": "The content service",
  "the-file-server": "The server at {host}",
  "the-store": "The player's store",
  untrusted: "{whose} is not trusted: {reason}.",
  unreachable: "{whose} cannot be reached: {reason}.",
} as const;
