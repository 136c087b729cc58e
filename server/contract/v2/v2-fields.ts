// Descriptions of the fields of version 2, one sentence per name, wherever it occurs.

export const fieldDescriptions: Readonly<Record<string, string>> = {
  asset_id: "The asset's identifier.",
  name: "What people call it.",
  uri: "An http, https or rtsp address, or the uri that file_asset answered; of stored bytes it is told with the ending of their type.",
  ext: "The ending of the file's name; what a file is, its bytes say.",
  start_date: "Shown from this moment on. No zone is UTC.",
  end_date: "Shown until this moment. No zone is UTC.",
  duration:
    "Seconds on the screen. Send 0 for a video's own length; the answer is that length once it is known.",
  mimetype: "image, video, webpage or streaming, or a media type.",
  is_enabled: "Whether it takes part at all.",
  nocache: "Whether it is loaded anew each time.",
  play_order: "Its place in the order; a creation without one goes to the end.",
  skip_asset_check: "Whether the address is taken without being tried.",
  is_active: "Whether it is enabled and inside its dates and hours now.",
  is_processing:
    "Whether its bytes are still to be fetched, or what a client sent last.",
  custom_headers:
    "Request headers, sent to the page's own origin only; the address is tried and fetched with them too.",
  refresh_interval_s:
    "Seconds after which a page that stays is loaded anew; 0 never.",
  play_days: "Weekdays, 1 Monday to 7 Sunday, by the screen's clock.",
  play_time_from:
    "The time of day from which on it plays, by the screen's clock; with play_time_to or not at all.",
  play_time_to:
    "The time of day before which it plays. Earlier than play_time_from it is that of the next day.",
  skip_ssl_verify: "Takes any certificate of its own host.",
  metadata:
    "What clients keep with it, at most 16384 letters; headers and refresh_interval_s mirror the fields, error_message says why it cannot be shown, remark what is not as it is meant although it plays.",
  fit: "How an image or video fills the screen; null goes by image_fit.",
  muted: "Without sound.",
  pages: "Of a PDF: the pages that are shown, from 1; null shows all.",
  rotation: "Of a PDF's pages, in degrees, clockwise.",
  user_agent: "What a page is told of the browser; null is the browser's own.",
  zoom_level: "Of a page, in percent; null is 100.",
  js_injection: "A script that is run at every load of the page.",
  send_metadata: "Whether a page's own server is told which screen asks.",
  player_side_render:
    "Whether the player renders the page; false lets an image stand for it.",
  screenshot_cache_seconds: "How old such an image may be; null is 300.",
  playlist_only:
    "True keeps it out of the local list: it plays where a playlist names it.",
  playlist_id: "The playlist's identifier.",
  predicate: "When it plays, as in $TIME >= 28800000; TRUE is always.",
  priority:
    "0 is everyday; of what could play, only the highest priority does.",
  groups:
    "Names of groups: those of the screen, or those a playlist is for (none: every screen).",
  transition:
    "How one slide gives way to the next; null goes by the player's setting.",
  shuffle:
    "Whether each round has another order; null goes by the player's setting.",
  items: "What plays, in order.",
  item_id: "The item's identifier; it stays when the items are sent anew.",
  ids: "Identifiers in the order in which they should play, divided by commas.",
  type: "file, or url for what stays remote.",
  url: "The address of what stays remote.",
  filename: "The asset's name with the usual ending for its bytes.",
  content: "The bytes in base64.",
  upload_id: "What to send as X-Upload-Id with the next piece.",
  received: "Bytes that are here so far.",
  size: "In bytes.",
  created: "When it was made.",
  last_used:
    "When it was last used, to the minute; null before the first time.",
  token: "The secret, told this once.",
  message: "A sentence for people.",
  // Settings:
  player_name: "What the player calls itself; empty takes the machine's name.",
  default_duration: "The usual stay of an image or a page, in seconds.",
  default_streaming_duration: "The usual stay of a stream, in seconds.",
  timezone: "A zone such as Europe/Berlin; empty follows the system.",
  verify_ssl: "Whether certificates of addresses are checked.",
  screen_rotation: "Of the whole screen, in degrees, clockwise.",
  image_fit: "How an image or video fills the screen.",
  volume: "In percent; an asset's is a share of the player's, null all of it.",
  shuffle_playlist: "Whether each round has another order.",
  default_assets: "Kept for clients; this player ships no assets of its own.",
  debug_logging: "Whether requests that only read leave a line in the log.",
  is_active_as: "How is_active is told.",
  power_allowed: "Whether reboot and shutdown are obeyed.",
  api_token_required:
    "Whether programs of this machine need an access token too, once there is one.",
  cors_origins:
    "Pages of these origins may use the interface from a browser; divided by commas.",
  backups_kept: "Older archives go when a new one is made.",
  takeover_hotkey:
    "A key such as Ctrl+Shift+F9 that takes the screen over; empty for none.",
  takeover_asset: "The asset that key shows; pressed again it is gone.",
  profile: "Whether somebody sits at this machine.",
  exit_hotkey: "A key that asks for the PIN on an unattended screen.",
  start_with_machine: "Whether the player starts with its user.",
  // Sync:
  account_id: "The account's identifier.",
  base_url: "Where the content service answers, without its version.",
  version: "The version.",
  token_storage: "Where the token lies; null when it has to be given again.",
  labels: "Names of labels (version 3: groups) that this screen is in.",
  screen_id: "The screen's own identifier in the cloud, once it is paired.",
  asset_groups: "Titles of asset groups (version 3: folders) to show alone.",
  all_assets:
    "What comes of assets in no playlist for this screen: off, library or rotation.",
  unused_content:
    "What the content service has while nothing of it comes here, and why.",
  processing: "How many of the assets are not ready yet.",
  mode: "Whether a plan is applied now, tonight, or when it is asked for.",
  apply_at: "The time of day of the mode tonight, by the screen's clock.",
  poll_seconds: "How often the cloud is asked.",
  finish_current_item:
    "What is taken away while it is on the screen plays its turn to the end.",
  rate_limit: "Bytes per second for all files together; null is no limit.",
  download_from: "Files are fetched from this time of day on; null always.",
  download_until: "Files are fetched before this time of day; null always.",
  proxy_url: "A proxy that speaks HTTP; null goes straight.",
  phase: "What the sync is doing.",
  hold: "Why what waits is not applied; null when nothing waits.",
  problem:
    "What went wrong with the account as a whole; null when nothing did.",
  code: "What went wrong, in a word.",
  since: "Since when.",
  last_contact: "When the cloud answered last.",
  last_applied: "When a plan was applied last.",
  next_poll: "When the cloud is asked next.",
  in_sync:
    "Everything the cloud wants is here and applied; null before it was asked.",
  item_counts:
    "How many assets the cloud wants here, are here, and have failed.",
  failures: "What was left out, and why.",
  is_quarantined: "It is left in peace for now.",
  remote_id: "As the cloud calls it.",
  applied_plans: "Plans that can be gone back to, the newest first.",
  plan_id: "The plan's identifier.",
  applied: "When it was applied.",
  is_current: "Whether it is the one that is applied.",
  first_seen: "When the cloud was first heard to say so.",
  files_done: "Files that are here by now.",
  received_bytes: "Bytes that are here so far.",
  seconds_left: "How long it will take still; null while nobody can say.",
  // What is on the screen, and the status of the player:
  explanation: "The reason in a sentence.",
  verdict:
    "What was last seen of it on the screen; null before the first look.",
  checked: "When that was.",
  playlist: "Null for the local assets, and for what is in no playlist.",
  due: "What plays at this moment, in order.",
  candidates: "Everything that could play, and why it does or does not.",
  takeover: "What has the screen instead of the programme.",
  text: "A message in large letters.",
  seconds:
    "How long it has the screen; without it and until, until it is cleared.",
  reason: "Why.",
  time: "The player's clock.",
  showing: "Null until the first slide of this start is up.",
  next: "What comes after it; null when that is open.",
  viewlog: "The name of what is on the screen.",
  loadavg: "Of the last fifteen minutes.",
  free_space: "As in 78G.",
  memory: "In MiB; what a system does not tell is 0.",
  uptime: "Of the machine.",
  safe_mode: "Why only images are shown after crashes in a row; else null.",
  software_rendering:
    "Why the processor draws instead of the graphics card, after that ended again and again; else null.",
  store_rebuilt:
    "When the database was damaged last, and what it was made anew of; null while none is kept aside.",
  damaged_path: "Where the damaged database lies, below the data folder.",
};
