// English texts for local changes to the content of a content service.

import type { Formats } from "../../../locales/formats.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function localChanges(formats: Formats) {
  const items = counted(formats, "item", "items");
  return {
    title: "Changed on this player",
    counted: items,
    about: (service: string) =>
      `What you changed here stays as it is, even when ${quoted(service)} changes it. Everything else follows ${quoted(service)}.`,
    changed: (fields: readonly string[]) =>
      `Changed on this player: ${formats.list(fields)}.`,
    changedBriefly: (fields: readonly string[]) =>
      `Changed: ${formats.list(fields)}.`,
    notFollowed: (number: number, service: string) =>
      `${quoted(service)} no longer updates ${number === 1 ? "this" : "these"}. Everything else follows it.`,
    deleted: "Deleted here. It stays away until you use the service's version.",
    notDelivered: (service: string) =>
      `${quoted(service)} doesn't send it at the moment. If it comes back, your changes apply again.`,
    deletedNotDelivered: (service: string) =>
      `${quoted(service)} doesn't send it at the moment. If it comes back, it stays deleted here.`,
    nameless: {
      asset: "Asset removed in the service",
      playlist: "Playlist removed in the service",
    },

    use: "Use the service's version",
    useOf: (name: string) => `Use the service's version of ${quoted(name)}`,
    done: (name: string, service: string) =>
      `${quoted(name)} follows ${quoted(service)} again`,
    back: (name: string) => `${quoted(name)} is back`,
    backLater: (name: string) =>
      `${quoted(name)} comes back when it is downloaded`,
    forgotten: (name: string) =>
      `Your changes to ${quoted(name)} no longer apply`,
    failed: (name: string) =>
      `Couldn't use the service's version of ${quoted(name)}`,
    question: (name: string) => `Use the service's version of ${quoted(name)}?`,
    loses: {
      file: "The file you put in here is removed from this player once the service's file is here. You can't undo this.",
      address:
        "The address you entered here is replaced by the service's. You can't undo this.",
      rest: "What you changed here is lost. You can't undo this.",
    },

    useAll: "Use the service's version for all",
    allQuestion: (number: number) =>
      `Use the service's version for all ${items(number)}?`,
    allLoses: (service: string) =>
      `Everything you changed or deleted here becomes what ${quoted(service)} has. You can't undo this.`,
    allDone: (service: string) => `Everything follows ${quoted(service)} again`,
    allFailed: "Couldn't use the service's version",

    /** By the field names of the interface. */
    fields: {
      ...{ name: "name", source: "file", address: "address" },
      ...{ start_date: "start date", end_date: "end date" },
      ...{ duration: "time on screen", is_enabled: "on/off" },
      ...{ playlist_only: "playlists only", metadata: "metadata" },
      ...{ fit: "fit", volume: "volume", muted: "sound on/off" },
      ...{ pages: "pages", rotation: "rotation" },
      ...{ custom_headers: "request headers", user_agent: "user agent" },
      ...{ zoom_level: "zoom", js_injection: "script" },
      ...{ refresh_interval_s: "reload interval" },
      ...{ send_metadata: "screen details for the page" },
      ...{ player_side_render: "page rendering" },
      ...{ screenshot_cache_seconds: "age of the page's picture" },
      ...{ skip_ssl_verify: "certificate check" },
      ...{ predicate: "schedule", priority: "priority", items: "content" },
      ...{ transition: "transition", shuffle: "shuffle" },
    } as Readonly<Record<string, string>>,
  };
}
