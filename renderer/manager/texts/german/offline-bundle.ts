// German texts for offline bundles.

import type { offlineBundle as measure } from "../english/offline-bundle.ts";
import type { Formats } from "../../../locales/formats.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function offlineBundle(formats: Formats): ReturnType<typeof measure> {
  const assets = counted(formats, "Inhalt", "Inhalte");
  const playlists = counted(formats, "Playlist", "Playlists");
  return {
    title: "Pläne auf einem Stick",
    about:
      "Für Bildschirme ohne Netz: Ein Plan wird mit all seinen Dateien hier gepackt und unterschrieben, hinübergetragen und dort geladen.",
    pack: "Plan packen",
    packNamed: (name) => `Den Plan von ${quoted(name)} packen`,
    canPack: "Der jetzige Plan kann gepackt werden.",
    noPlan: "Es gibt noch keinen Plan: Nach dem ersten Abgleich ist einer da.",
    packed: (name) => `Der Plan von ${quoted(name)} ist gepackt`,
    packFailed: (name) => `Der Plan von ${quoted(name)} wurde nicht gepackt.`,
    take: "Plan vom Stick laden",
    taken: (from, assetCount, playlistCount) =>
      `Der Plan von ${quoted(from)} ist hier: ${assets(assetCount)}, ${playlists(playlistCount)}`,
    takeFailed:
      "Der Plan wurde nicht geladen. Nichts hat sich geändert; der Bildschirm zeigt weiter, was er hat.",
    trustQuestion: "Ist dieser Plan von dem, von dem Sie ihn erwarten?",
    trustWhat: (fingerprint) =>
      `Seinem Schlüssel wird hier noch nicht vertraut. Vergleichen Sie ihn mit dem Schlüssel, den der andere Player auf dieser Seite zeigt: ${fingerprint}`,
    trustNo: "Nicht laden",
    trustYes: "Gleicher Schlüssel: vertrauen und laden",
    own: "Schlüssel dieses Players",
    trustedSince: (name, day) => `Vertraut seit ${day}: ${quoted(name)}`,
    distrust: "Nicht mehr vertrauen",
    distrustNamed: (name) => `Nicht mehr vertrauen: ${quoted(name)}`,
    distrustQuestion: (name) => `${quoted(name)} nicht mehr vertrauen?`,
    distrustWhat:
      "Was von dort kam, bleibt. Vor dem nächsten Plan muss der Schlüssel neu verglichen werden.",
    keep: "Behalten",
    distrusted: (name) => `${quoted(name)} wird nicht mehr vertraut`,
    distrustFailed: (name) => `${quoted(name)} wird weiter vertraut.`,
  };
}
