// Descriptions of the fields of version 2, one sentence per name, wherever it occurs.

import { assetLimits } from "../../core/asset-limits.ts";

export const fieldDescriptions: Readonly<Record<string, string>> = {
  asset_id: "The asset's identifier.",
  name: "Display name.",
  uri: "An http, https or rtsp address, or the uri returned by file_asset. For a stored file it is returned with the extension of its type.",
  ext: "The file name extension. The type is detected from the content.",
  start_date: "Start of the time in which it plays. Without a zone: UTC.",
  end_date: "End of the time in which it plays. Without a zone: UTC.",
  duration:
    "Seconds on the screen. 0 plays a video to its end; its length is returned once it is known.",
  mimetype: "image, video, webpage or streaming, or a media type.",
  is_enabled: "Whether it can play at all.",
  nocache: "Whether it is reloaded each time.",
  play_order: "Position in the play order. Default for new assets: at the end.",
  skip_asset_check: "Whether the availability check of the address is skipped.",
  is_active: "Whether it is enabled and within its dates and hours now.",
  is_processing:
    "Whether its file is still downloading, or the value a client sent last.",
  custom_headers:
    "Request headers, sent only to the page's own origin. Also used to check and download the address.",
  refresh_interval_s:
    "Seconds after which a page that stays on the screen is reloaded; 0 is never.",
  play_days:
    "Weekdays in the screen's time zone, from 1 (Monday) to 7 (Sunday).",
  play_time_from:
    "Start of the daily play time in the screen's time zone; requires play_time_to.",
  play_time_to:
    "End of the daily play time. Earlier than play_time_from means the next day.",
  skip_ssl_verify:
    "Whether certificates of its own host are accepted unchecked.",
  metadata: `Data that clients store with it, at most ${assetLimits.metadataLetters} characters as JSON. headers and refresh_interval_s mirror the fields, error_message is the reason it cannot play, and remark is a limitation although it plays.`,
  stored: "What the player itself stores of it; ignored in a body.",
  is_downloading: "Whether its file has yet to arrive.",
  file: "Its file; null for remote content, and until the file has arrived.",
  sha256: "SHA-256 of the file, in hex.",
  media_type: "Media type, detected from the bytes.",
  length: "Length of a video or audio in seconds; null if unknown.",
  fit: "How an image or video fills the screen. Default (null): the setting image_fit.",
  muted: "Whether it plays without sound.",
  pages: "The PDF pages to show, from 1; null shows all.",
  rotation: "Clockwise rotation of PDF pages, in degrees.",
  user_agent: "The User-Agent sent to the page; null sends the browser's own.",
  zoom_level: "Zoom of a web page, in percent; null is 100.",
  js_injection: "A script that runs each time the page loads.",
  send_metadata:
    "Whether the page's own server receives information about the screen.",
  player_side_render:
    "Whether the player renders the page; false shows a screenshot of it.",
  screenshot_cache_seconds:
    "Maximum age of that screenshot, in seconds; null is 300.",
  playlist_only:
    "Whether it plays only in playlists, not in the default rotation.",
  playlist_id: "The playlist's identifier.",
  predicate: "When it plays, for example $TIME >= 28800000; TRUE is always.",
  priority:
    "From 0 (normal) to 100. Of everything scheduled, only the highest priority plays.",
  groups:
    "Group names: those of the screen, or those a playlist is for (none: every screen).",
  transition: "Transition between items; null uses the player's setting.",
  shuffle:
    "Whether items play in random order; null uses the player's setting.",
  items: "The items, in order.",
  item_id: "The item's identifier; it is kept when the items are sent again.",
  ids: "Identifiers in play order, separated by commas.",
  type: "file, or url for remote content.",
  url: "The address of remote content.",
  filename: "The asset's name with the usual file name extension.",
  content: "The file as base64.",
  upload_id: "The value of X-Upload-Id for the next piece.",
  received: "Bytes received so far.",
  size: "Size in bytes.",
  maker: "The program that created the archive.",
  made_by: "The player that created it; null if unknown.",
  connections: "Connections in it, except those of offline bundles.",
  settings: "The settings that it would change.",
  now: "The value on this player.",
  then: "The value in the archive.",
  undo: "A backup of the previous state: restoring it undoes this.",
  created: "When it was created.",
  last_used: "When it was last used, to the minute; null if never.",
  token: "The secret of an access token; returned only once.",
  password: "The password; a sign-in accepts an access token in its place.",
  is_set: "Whether there is one.",
  changed: "When it was last set; null if it is not.",
  is_required: "Whether requests need an access token or a session.",
  is_signed_in: "Whether this browser has a session.",
  is_phone: "Whether the session came from the code on the screen.",
  phone_code: "The code in the QR code of the idle screen.",
  message: "A message for people.",
  // Settings:
  player_name: "The player's name. Default (empty): the PC's name.",
  default_duration: "Default duration of an image or web page, in seconds.",
  default_streaming_duration: "Default duration of a live stream, in seconds.",
  timezone: "A time zone such as Europe/Berlin. Default (empty): the system's.",
  verify_ssl: "Whether TLS certificates are checked.",
  screen_rotation: "Clockwise rotation of the screen, in degrees.",
  image_fit: "How an image or video fills the screen.",
  volume:
    "Volume in percent. An asset's volume is relative to the player's; null is 100.",
  shuffle_playlist: "Whether the default rotation plays in random order.",
  default_assets: "Stored for clients; this player has no built-in assets.",
  debug_logging: "Whether read requests are logged, too.",
  is_active_as: "The type of is_active: string or boolean.",
  power_allowed: "Whether reboot and shutdown are allowed.",
  api_token_required:
    "Whether programs on this PC need an access token, too, once there is one or a password.",
  allow_phones:
    "Whether the QR code of the idle screen signs a phone in for a day.",
  share_files:
    "Whether this player and others of its team on the same network download a file from the content service once and pass it on to each other.",
  cors_origins:
    "Origins whose web pages may use this API from a browser, separated by commas.",
  backups_kept:
    "Number of backups to keep; creating another deletes the oldest.",
  takeover_hotkey:
    "A shortcut such as Ctrl+Shift+F9 that starts and stops a takeover; empty for none.",
  takeover_asset: "The asset that takeover_hotkey shows.",
  profile: "Whether the PC is used at a desk or runs unattended.",
  exit_hotkey: "A shortcut that opens the PIN pad on an unattended screen.",
  start_with_machine: "Whether the player starts when its user signs in.",
  // Sync:
  account_id: "The connection's identifier.",
  base_url: "The content service's address, without the API version.",
  version: "The version.",
  token_storage:
    "Where the token is stored; null when it has to be entered again.",
  labels: "Names of the labels (version 3: groups) of this screen.",
  screen_id:
    "The screen's identifier in the content service, once it is paired.",
  asset_groups:
    "Titles of the asset groups (version 3: folders) whose assets are synced, instead of playlists.",
  all_assets:
    "What happens to assets that are in no playlist for this screen: off, library or rotation.",
  unused_content:
    "What the content service has, and why none of it is synced; null while something is.",
  processing: "How many of the assets are not ready yet.",
  mode: "When a plan is applied: immediately, at apply_at, or after approval.",
  apply_at: "The time of day for the mode tonight, in the screen's time zone.",
  poll_seconds: "Seconds between two checks for changes.",
  finish_current_item:
    "Whether a removed item that is on the screen plays to its end.",
  rate_limit:
    "Download limit for all files together, in bytes per second; null is no limit.",
  download_from: "Start of the daily download window; null is always.",
  download_until: "End of the daily download window; null is always.",
  proxy_url: "An HTTP proxy; null connects directly.",
  phase: "The current step of the sync.",
  hold: "Why pending changes are not applied; null if there are none.",
  problem: "The connection's current problem; null if there is none.",
  code: "The error code.",
  since: "When it started.",
  last_contact: "When the content service last responded.",
  last_applied: "When a plan was last applied.",
  next_poll: "When the next check is due.",
  in_sync:
    "Whether the desired state is fully applied; null before the first check.",
  item_counts: "How many assets are wanted, present and failed.",
  failures: "What was skipped, and why.",
  is_quarantined: "Whether it is not retried for now.",
  remote_id: "Its identifier in the content service.",
  applied_plans: "Plans that can be restored, newest first.",
  plan_id: "The plan's identifier.",
  applied: "When it was applied.",
  is_current: "Whether it is the current plan.",
  first_seen: "When the content service first reported it.",
  files_done: "Files downloaded so far.",
  received_bytes: "Bytes received so far.",
  seconds_left: "Estimated seconds left; null while there is no estimate.",
  // What is on the screen, and the status of the player:
  explanation: "The reason as a sentence.",
  verdict: "Result of the last screen verification; null before the first one.",
  checked: "When it was last verified.",
  playlist: "The playlist; null for local assets outside playlists.",
  due: "What plays at this time, in order.",
  candidates: "Everything that could play, and why it does or does not.",
  takeover: "The takeover on the screen.",
  text: "A message in large type.",
  seconds:
    "Duration in seconds. Without seconds and until, it lasts until it is stopped.",
  reason: "The reason.",
  time: "The player's time.",
  showing:
    "What is on the screen; null until the first item of this run is visible.",
  next: "What comes next; null if undecided.",
  viewlog: "The name of what is on the screen.",
  loadavg: "Load average of the last 15 minutes.",
  free_space: "Free disk space, for example 78G.",
  memory: "Memory in MiB; 0 for values the system does not report.",
  uptime: "Uptime of the PC.",
  safe_mode:
    "Why only images are shown after repeated crashes; otherwise null.",
  software_rendering:
    "Why rendering fell back to software after repeated graphics crashes; otherwise null.",
  store_rebuilt:
    "When a damaged database was last rebuilt, and from what; null if no damaged one is kept.",
  damaged_path: "Path of the damaged database, relative to the data folder.",
};
