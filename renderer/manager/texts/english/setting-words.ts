// English name and effect of each setting; by its name in the interface.

export interface SettingWords {
  readonly name: string;
  /** Visible effect, in a sentence or two. */
  readonly effect: string;
  /** Names of the choices, by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Placeholder of the empty field, where the interface's own example is in another language. */
  readonly example?: string;
  /** Shown behind a number. */
  readonly unit?: string;
  /** Synonyms for the search. */
  readonly also?: string;
}

export const settingWords: Readonly<Record<string, SettingWords>> = {
  player_name: {
    name: "Name",
    effect:
      "What this player calls itself on its name card, in backups and to other desks. If empty, the name of the PC is used.",
    also: "title hostname",
  },
  location: {
    name: "Place",
    effect: "Where the screen hangs, as pages and apps are told.",
    also: "address building room",
  },
  coordinates: {
    name: "Coordinates",
    effect:
      "Latitude and longitude, as in 52.52, 13.405. Apps such as the weather go by them.",
    also: "gps map geo",
  },
  timezone: {
    name: "Time zone",
    effect:
      "The zone in which schedules and the clock of the name card are read. Applies immediately.",
    also: "clock hours daylight saving",
  },
  groups: {
    name: "Groups",
    effect:
      "The groups this screen is in, divided by commas. A playlist for one of them plays here.",
    also: "labels tags",
  },
  screen_rotation: {
    name: "Rotation",
    effect:
      "Turns the whole picture clockwise, for screens that hang in portrait.",
    choices: { 0: "0°", 90: "90°", 180: "180°", 270: "270°" },
    also: "portrait landscape orientation turn",
  },
  image_fit: {
    name: "Fit of pictures and films",
    effect:
      "How they fill the screen, unless an asset says otherwise. Filling cuts off what stands over.",
    choices: { fit: "Whole", fill: "Fill", natural: "Own size" },
    also: "scale crop cover contain letterbox",
  },
  transition: {
    name: "Change between assets",
    effect:
      "How one gives way to the next, unless its playlist says otherwise. Nothing is ever black in between.",
    choices: { cut: "Cut", "cross-fade": "Cross-fade" },
    also: "transition fade animation",
  },
  show_splash: {
    name: "Address on the name card",
    effect:
      "Whether the card that is shown while nothing is due tells the address of this player.",
    also: "splash standby ip",
  },
  prefer_dark_mode: {
    name: "Dark pages",
    effect:
      "Asks web pages for their dark look. This window turns dark with it where it follows the system.",
    also: "theme night",
  },
  date_format: {
    name: "Date on the name card",
    effect: "How the card writes the day.",
    also: "format",
  },
  use_24_hour_clock: {
    name: "24-hour clock",
    effect: "Whether the card's clock counts to 24 instead of am and pm.",
    also: "format time",
  },
  volume: {
    name: "Volume",
    effect:
      "Of everything this player plays. The volume of an asset is a share of it.",
    unit: "%",
    also: "loud sound audio",
  },
  muted: {
    name: "Mute",
    effect: "Silences everything at once; pictures go on.",
    also: "silent sound quiet",
  },
  audio_output: {
    name: "Sound output",
    effect:
      "Where films and sounds are heard from the next one on; where there is no such output, the one the system chose. Web pages use the system's.",
    choices: { hdmi: "The display (HDMI, DisplayPort)", local: "This PC" },
    also: "speaker headphones",
  },
  default_duration: {
    name: "Usual stay",
    effect:
      "How long a new picture or page stays on the screen, unless it says otherwise.",
    unit: "s",
    also: "duration seconds length interval",
  },
  default_streaming_duration: {
    name: "Usual stay of a stream",
    effect: "How long a new live stream stays, since it has no end of its own.",
    unit: "s",
    also: "duration hls rtsp",
  },
  shuffle_playlist: {
    name: "Shuffle",
    effect:
      "Whether each round has another order, unless a playlist says otherwise.",
    also: "random order",
  },
  takeover_hotkey: {
    name: "Takeover key",
    effect:
      "Pressed anywhere on this PC it takes the screen over; pressed again it gives it back. For instance Ctrl+Shift+F9.",
    also: "emergency alarm shortcut hotkey",
  },
  takeover_asset: {
    name: "What the key shows",
    effect: "The asset the takeover key puts on the screen before all else.",
    also: "emergency message",
  },
  profile: {
    name: "Who is at this PC",
    effect:
      "Unattended: the picture stays on top and open, the system's keys do nothing, and this desk is reached by a key and the PIN alone.",
    choices: { desk: "Attended", unattended: "Unattended" },
    also: "kiosk lock locked down",
  },
  exit_hotkey: {
    name: "Exit key",
    effect:
      "Pressed on an unattended screen it asks for the PIN, and opens the manager or quits. For instance Ctrl+Alt+Shift+E.",
    also: "kiosk pin shortcut hotkey leave",
  },
  start_with_machine: {
    name: "Start with this PC",
    effect: "Whether the player starts when its user logs in.",
    also: "autostart boot login",
  },
  api_token_required: {
    name: "Token on this PC too",
    effect:
      "Whether programs on this PC need an access token as those elsewhere do. This window does not. Applies once there is a token.",
    also: "security password login authentication",
  },
  cors_origins: {
    name: "Web pages that may use the interface",
    effect:
      "Origins such as https://desk.example.org, divided by commas; a browser extension by its chrome-extension:// or moz-extension:// address, which then needs an access token. No other page may ask this player anything.",
    also: "cors browser origin",
  },
  verify_ssl: {
    name: "Check certificates",
    effect:
      "Refuses addresses whose certificate is not valid. Off takes any: only for networks you trust.",
    also: "tls ssl https security",
  },
  power_allowed: {
    name: "Restart and shut down by interface",
    effect: "Whether programs with access may restart or shut down this PC.",
    also: "reboot shutdown power",
  },
  is_active_as: {
    name: "Form of is_active",
    effect:
      "Programs written for the specification expect text, those written for Anthias a truth value.",
    choices: { string: "Text", boolean: "Truth value" },
    also: "compatibility boolean api",
  },
  debug_logging: {
    name: "Detailed log",
    effect:
      "Writes a line for every request, also those that only read. Useful while looking for a fault; the log stays bounded.",
    also: "debug trace support",
  },
  default_assets: {
    name: "Sample assets",
    effect:
      "Kept for programs written for Anthias. This player ships no samples, so it changes nothing.",
    also: "examples demo",
  },
  backups_kept: {
    name: "Backups kept",
    effect: "When a new one is made, older ones beyond this number go.",
    also: "archives retention",
  },
};
