// What each field of version 2 means, in a sentence, wherever it stands.

export const fieldsSaid: Readonly<Record<string, string>> = {
  asset_id: "The asset's identifier.",
  name: "What people call it.",
  uri: "An http, https or rtsp address, or the uri that file_asset answered.",
  ext: "The ending of the file's name; what a file is, its bytes say.",
  start_date: "Shown from this moment on. No zone is UTC.",
  end_date: "Shown until this moment. No zone is UTC.",
  duration: "Seconds on the glass; 0 on a video is its own length.",
  mimetype: "image, video, webpage or streaming, or a media type.",
  is_enabled: "Whether it takes part at all.",
  nocache: "Whether it is loaded anew each time.",
  play_order: "Its place in the order; a creation without one goes to the end.",
  skip_asset_check: "Whether the address is taken without being tried.",
  is_active: "Whether it is enabled and inside its dates and hours now.",
  is_processing: "Whether its bytes are still on their way here.",
  custom_headers:
    "Request headers, sent to the page's own origin only; the address is tried and fetched with them too.",
  refresh_interval_s:
    "Seconds after which a page that stays is loaded anew; null never.",
  play_days: "Weekdays, 1 Monday to 7 Sunday, by the screen's clock.",
  play_time_from:
    "The time of day from which on it plays, by the screen's clock; with play_time_to or not at all.",
  play_time_to:
    "The time of day before which it plays. Earlier than play_time_from it is that of the next day.",
  skip_ssl_verify: "Takes any certificate of its own host.",
  metadata:
    "What clients keep with it, at most 16384 letters; error_message says why it cannot be shown.",
  fit: "How a picture or film fills the glass; null goes by image_fit.",
  muted: "Without sound.",
  pages: "Of a PDF: the pages that are shown, from 1; null shows all.",
  rotation: "Of a PDF's pages, in degrees, clockwise.",
  user_agent: "What a page is told of the browser; null is the browser's own.",
  zoom_level: "Of a page, in percent; null is 100.",
  js_injection: "A script that is run at every load of the page.",
  send_metadata: "Whether a page's own server is told which screen asks.",
  player_side_render:
    "Whether the player renders the page; false lets a picture stand for it.",
  screenshot_cache_seconds: "How old such a picture may be; null is 300.",
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
  default_duration: "The usual stay of a picture or a page, in seconds.",
  default_streaming_duration: "The usual stay of a stream, in seconds.",
  timezone: "A zone such as Europe/Berlin; empty follows the system.",
  verify_ssl: "Whether certificates of addresses are checked.",
  screen_rotation: "Of the whole glass, in degrees, clockwise.",
  image_fit: "How a picture or film fills the glass.",
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
  // What is on the glass, and how the player fares:
  because: "The reason in a sentence.",
  verdict: "What was last seen of it on the glass; null before the first look.",
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
  viewlog: "The name of what is on the glass.",
  loadavg: "Of the last fifteen minutes.",
  free_space: "As in 78G.",
  memory: "In MiB; what a system does not tell is 0.",
  uptime: "Of the machine.",
};
