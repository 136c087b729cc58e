// German name and effect of each setting; by its name in the interface.

import type { SettingWords } from "../english/setting-words.ts";

export const settingWords: Readonly<Record<string, SettingWords>> = {
  player_name: {
    name: "Name",
    effect:
      "Wie sich dieser Player auf seiner Namenskarte, in Sicherungen und gegenüber anderen nennt. Ist das Feld leer, gilt der Name des PCs.",
    also: "titel hostname",
  },
  location: {
    name: "Ort",
    effect: "Wo der Bildschirm hängt, wie es Seiten und Apps erfahren.",
    also: "adresse gebäude raum",
  },
  coordinates: {
    name: "Koordinaten",
    effect:
      "Breite und Länge wie in 52.52, 13.405. Apps wie das Wetter richten sich danach.",
    also: "gps karte geo",
  },
  timezone: {
    name: "Zeitzone",
    effect:
      "Die Zone, in der Zeitpläne und die Uhr der Namenskarte gelesen werden. Gilt sofort.",
    also: "uhr stunden sommerzeit",
  },
  groups: {
    name: "Gruppen",
    effect:
      "Die Gruppen dieses Bildschirms, durch Kommas getrennt. Eine Playlist für eine davon läuft hier.",
    example: "Foyer, Treppenhaus",
    also: "labels tags",
  },
  screen_rotation: {
    name: "Drehung",
    effect:
      "Dreht das ganze Bild im Uhrzeigersinn, für hochkant hängende Bildschirme.",
    choices: { 0: "0°", 90: "90°", 180: "180°", 270: "270°" },
    also: "hochformat querformat ausrichtung drehen",
  },
  image_fit: {
    name: "Einpassung von Bildern und Filmen",
    effect:
      "Wie sie den Bildschirm füllen, wenn ein Inhalt nichts anderes sagt. Beim Füllen fällt weg, was übersteht.",
    choices: { fit: "Ganz", fill: "Füllend", natural: "Eigene Größe" },
    also: "skalieren zuschneiden balken",
  },
  transition: {
    name: "Wechsel zwischen Inhalten",
    effect:
      "Wie einer dem nächsten weicht, wenn seine Playlist nichts anderes sagt. Schwarz ist es dazwischen nie.",
    choices: { cut: "Schnitt", "cross-fade": "Überblendung" },
    also: "übergang blende animation",
  },
  show_splash: {
    name: "Adresse auf der Namenskarte",
    effect:
      "Ob die Karte, die ohne Programm zu sehen ist, die Adresse dieses Players nennt.",
    also: "startbild standby ip",
  },
  prefer_dark_mode: {
    name: "Dunkle Seiten",
    effect:
      "Bittet Webseiten um ihr dunkles Aussehen. Dieses Fenster wird mit dunkel, wenn es dem System folgt.",
    also: "thema nacht",
  },
  date_format: {
    name: "Datum auf der Namenskarte",
    effect: "Wie die Karte den Tag schreibt.",
    also: "format",
  },
  use_24_hour_clock: {
    name: "24-Stunden-Uhr",
    effect: "Ob die Uhr der Karte bis 24 zählt statt mit am und pm.",
    also: "format zeit",
  },
  volume: {
    name: "Lautstärke",
    effect:
      "Von allem, was dieser Player spielt. Die Lautstärke eines Inhalts ist ein Anteil davon.",
    unit: "%",
    also: "laut ton audio",
  },
  muted: {
    name: "Stumm",
    effect: "Bringt alles sofort zum Schweigen; Bilder laufen weiter.",
    also: "leise ton still",
  },
  audio_output: {
    name: "Tonausgang",
    effect:
      "Wo Filme und Töne ab dem nächsten zu hören sind; wo es keinen solchen Ausgang gibt, der vom System gewählte. Webseiten nehmen den des Systems.",
    choices: { hdmi: "Das Display (HDMI, DisplayPort)", local: "Dieser PC" },
    also: "lautsprecher kopfhörer",
  },
  default_duration: {
    name: "Übliche Dauer",
    effect:
      "Wie lange ein neues Bild oder eine neue Seite zu sehen ist, wenn nichts anderes gesagt wird.",
    unit: "s",
    also: "dauer sekunden länge",
  },
  default_streaming_duration: {
    name: "Übliche Dauer eines Streams",
    effect:
      "Wie lange ein neuer Livestream bleibt, denn ein eigenes Ende hat er nicht.",
    unit: "s",
    also: "dauer hls rtsp",
  },
  shuffle_playlist: {
    name: "Zufällige Reihenfolge",
    effect:
      "Ob jede Runde eine andere Reihenfolge hat, wenn eine Playlist nichts anderes sagt.",
    also: "mischen zufall",
  },
  takeover_hotkey: {
    name: "Taste für die Sondermeldung",
    effect:
      "Irgendwo an diesem PC gedrückt nimmt sie den Bildschirm; noch einmal gedrückt gibt sie ihn zurück. Zum Beispiel Strg+Umschalt+F9.",
    also: "notfall alarm kürzel hotkey",
  },
  takeover_asset: {
    name: "Was die Taste zeigt",
    effect: "Der Inhalt, den die Taste vor allem anderen zeigt.",
    also: "notfall meldung",
  },
  profile: {
    name: "Wer an diesem PC ist",
    effect:
      "Unbeaufsichtigt: Das Bild bleibt oben und offen, die Tasten des Systems tun nichts, und hierher führen nur eine Taste und die PIN.",
    choices: {
      desk: "Beaufsichtigt",
      unattended: "Unbeaufsichtigt",
    },
    also: "kiosk sperre gesperrt",
  },
  exit_hotkey: {
    name: "Taste zum Verlassen",
    effect:
      "Auf einem unbeaufsichtigten Bildschirm gedrückt fragt sie nach der PIN und öffnet dieses Fenster oder beendet Vitrine. Zum Beispiel Strg+Alt+Umschalt+E.",
    also: "kiosk pin kürzel hotkey",
  },
  start_with_machine: {
    name: "Mit diesem PC starten",
    effect: "Ob der Player startet, wenn sein Benutzer sich anmeldet.",
    also: "autostart anmeldung hochfahren",
  },
  api_token_required: {
    name: "Schlüssel auch an diesem PC",
    effect:
      "Ob auch Programme an diesem PC einen Zugangsschlüssel brauchen. Dieses Fenster braucht keinen. Gilt, sobald es einen Schlüssel gibt.",
    also: "sicherheit passwort anmeldung",
  },
  cors_origins: {
    name: "Webseiten, die die Schnittstelle nutzen dürfen",
    effect:
      "Herkünfte wie https://desk.example.org, durch Kommas getrennt; eine Browser-Erweiterung mit ihrer Adresse chrome-extension:// oder moz-extension://, sie braucht dann einen Zugangsschlüssel. Keine andere Seite darf diesen Player etwas fragen.",
    also: "cors browser herkunft",
  },
  verify_ssl: {
    name: "Zertifikate prüfen",
    effect:
      "Lehnt Adressen ab, deren Zertifikat nicht gilt. Ausgeschaltet wird jedes angenommen: nur in vertrauten Netzen.",
    also: "tls ssl https sicherheit",
  },
  power_allowed: {
    name: "Neustart und Ausschalten über die Schnittstelle",
    effect:
      "Ob Programme mit Zugang diesen PC neu starten oder ausschalten dürfen.",
    also: "neustart herunterfahren strom",
  },
  is_active_as: {
    name: "Form von is_active",
    effect:
      "Programme nach der Spezifikation erwarten Text, solche für Anthias einen Wahrheitswert.",
    choices: { string: "Text", boolean: "Wahrheitswert" },
    also: "kompatibilität api",
  },
  debug_logging: {
    name: "Ausführliches Protokoll",
    effect:
      "Schreibt zu jeder Anfrage eine Zeile, auch zum bloßen Lesen. Nützlich bei der Fehlersuche; das Protokoll bleibt begrenzt.",
    also: "debug log hilfe",
  },
  default_assets: {
    name: "Beispielinhalte",
    effect:
      "Für Programme, die für Anthias geschrieben sind. Dieser Player bringt keine Beispiele mit, es ändert nichts.",
    also: "demo",
  },
  backups_kept: {
    name: "Behaltene Sicherungen",
    effect:
      "Entsteht eine neue, gehen ältere, die über diese Zahl hinaus sind.",
    also: "archive aufbewahren",
  },
};
