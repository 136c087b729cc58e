// Location of the operator in the manager and navigation: the part of the address behind the hash.

import { useSyncExternalStore } from "react";
import { can } from "./abilities.ts";

const pageIds = [
  ...(["now", "screens", "library", "playlists", "schedule"] as const),
  ...(["connections", "activity", "reports", "settings"] as const),
  ...(["team", "account", "help"] as const),
] as const;

export type PageId = (typeof pageIds)[number];

/** At a content service, in this order. */
const pagesOfService = [
  ...(["screens", "library", "playlists", "schedule"] as const),
  ...(["activity", "reports", "team", "account", "help"] as const),
] as const;

/** Pages that this place has. */
export const pagesHere: readonly PageId[] = can("people")
  ? pagesOfService
  : pageIds.filter((id) =>
      id === "screens" ? can("screens") : id !== "team" && id !== "account",
    );

/** Where the manager opens. */
const firstPage: PageId = pagesHere[0] ?? "help";

export interface Place {
  readonly page: PageId;
  /** Part of the page: an asset, a playlist, a section; empty for the page itself. */
  readonly at: string;
}

/** `addressOf("library", id)` is `#/library/<id>`, for a link. */
export function addressOf(page: PageId, at = ""): string {
  return at === "" ? `#/${page}` : `#/${page}/${encodeURIComponent(at)}`;
}

export function goTo(page: PageId, at = ""): void {
  window.location.hash = addressOf(page, at);
}

/** Replaces the location without a history entry: for a mere change of selection. */
export function stayAt(page: PageId, at = ""): void {
  if (window.location.hash === addressOf(page, at)) return;
  window.history.replaceState(null, "", addressOf(page, at));
  // The browser sends no event for this one.
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * Call when a request starts. The returned function is true while the location is unchanged: an operator who has navigated
 * elsewhere meanwhile is not taken back.
 */
export function staying(): () => boolean {
  const { hash } = window.location;
  return () => window.location.hash === hash;
}

/** Returns a function that navigates to the present location from anywhere. */
export function wayBackHere(): () => void {
  const { hash } = window.location;
  return () => {
    window.location.hash = hash;
  };
}

/** An unknown page falls back to the first page. */
function placeOf(hash: string): Place {
  const [, name = "", at = ""] = /^#\/([^/]*)(?:\/(.*))?$/.exec(hash) ?? [];
  const page = pagesHere.find((id) => id === name);
  return page === undefined
    ? { page: firstPage, at: "" }
    : { page, at: decoded(at) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page that is open now. */
export function openPage(): PageId {
  return placeOf("location" in globalThis ? location.hash : "").page;
}

export function usePlace(): Place {
  return placeOf(useSyncExternalStore(onMove, () => window.location.hash));
}

function onMove(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => {
    window.removeEventListener("hashchange", listener);
  };
}

export interface PageProps {
  /** The part behind the page's name in the address: an asset, a playlist, a section; otherwise empty. */
  readonly at: string;
}
