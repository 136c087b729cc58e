// English texts for offline bundles.

import type { Formats } from "../../../locales/formats.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function offlineBundle(formats: Formats) {
  const assets = counted(formats, "asset", "assets");
  const playlists = counted(formats, "playlist", "playlists");
  return {
    title: "Plans on a stick",
    about:
      "For screens without a network: a plan with all its files is packed and signed here, carried over, and loaded there.",
    pack: "Pack the plan",
    packNamed: (name: string) => `Pack the plan of ${quoted(name)}`,
    canPack: "Its current plan can be packed.",
    noPlan: "It has no plan yet: one is there after the first sync.",
    packed: (name: string) => `The plan of ${quoted(name)} is packed`,
    packFailed: (name: string) => `The plan of ${quoted(name)} was not packed.`,
    take: "Load a plan from a stick",
    taken: (from: string, assetCount: number, playlistCount: number) =>
      `The plan of ${quoted(from)} is here: ${assets(assetCount)}, ${playlists(playlistCount)}`,
    takeFailed:
      "The plan was not loaded. Nothing has changed; the screen goes on with what it has.",
    trustQuestion: "Is this plan from whom you expect?",
    trustWhat: (fingerprint: string) =>
      `Its key is not trusted here yet. Compare it with the key that the other player shows on this page: ${fingerprint}`,
    trustNo: "Do not load it",
    trustYes: "Same key: trust it and load it",
    own: "Key of this player",
    trustedSince: (name: string, day: string) =>
      `Trusted since ${day}: ${quoted(name)}`,
    distrust: "Trust no longer",
    distrustNamed: (name: string) => `Trust no longer: ${quoted(name)}`,
    distrustQuestion: (name: string) => `Trust ${quoted(name)} no longer?`,
    distrustWhat:
      "What came from there stays. Before the next plan of it the key has to be compared anew.",
    keep: "Keep it",
    distrusted: (name: string) => `${quoted(name)} is not trusted any more`,
    distrustFailed: (name: string) => `${quoted(name)} is still trusted.`,
  };
}
