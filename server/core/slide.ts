// A slide: an asset (or the house card) on the stage, with how long it stays.

import { kindOf, type Asset } from "./asset.ts";

/** What the glass shows while nothing is due: who this player is and where it listens. */
export interface HouseCard {
  readonly playerName: string;
  /** Base address of the player interface, e.g. `http://127.0.0.1:8080`. */
  readonly apiAddress: string;
}

export type SlideContent =
  | { readonly kind: "image"; readonly url: string }
  | {
      readonly kind: "video";
      readonly url: string;
      /** True when a given duration outlasts the clip: it starts again without a gap. */
      readonly loop: boolean;
    }
  | {
      readonly kind: "webpage";
      readonly url: string;
      /** Fetched anew each time, past every cache. */
      readonly noCache: boolean;
    }
  | { readonly kind: "card"; readonly card: HouseCard };

export interface Slide {
  /** Names this one showing, so that a late report of an earlier one is recognised. */
  readonly id: string;
  /** Null for the house card. */
  readonly assetId: string | null;
  readonly name: string;
  readonly content: SlideContent;
  /** Null: until its own end (a video), or until something else is due (the card). */
  readonly durationSeconds: number | null;
}

/** An image or page without a duration stays this long: long enough to read, short enough not to stick. */
const leastSeconds = 1;

export function slideOf(asset: Asset, id: string): Slide {
  const kind = kindOf(asset);
  const url = asset.file ? fileAddress(asset.file.hash) : asset.uri;
  const base = { id, assetId: asset.id, name: asset.name };
  if (kind === "video") {
    const given = asset.durationSeconds > 0 ? asset.durationSeconds : null;
    return {
      ...base,
      content: { kind, url, loop: given !== null },
      durationSeconds: given,
    };
  }
  const durationSeconds = Math.max(leastSeconds, asset.durationSeconds);
  return kind === "image"
    ? { ...base, content: { kind, url }, durationSeconds }
    : {
        ...base,
        content: { kind, url, noCache: asset.noCache },
        durationSeconds,
      };
}

/** Equal for two assets, or two states of one, that look the same on the glass. */
export function contentKey(asset: Asset): string {
  return JSON.stringify(slideOf(asset, "").content);
}

/** Whether it can simply stay when it follows itself: only a video's end and a page past its cache cannot. */
export function canStay(slide: Slide): boolean {
  switch (slide.content.kind) {
    case "image":
    case "card":
      return true;
    case "video":
      return slide.content.loop;
    case "webpage":
      return !slide.content.noCache;
  }
}

export function houseCardSlide(card: HouseCard, id: string): Slide {
  return {
    id,
    assetId: null,
    name: card.playerName,
    content: { kind: "card", card },
    durationSeconds: null,
  };
}

/** The address under which the stage reads stored bytes (`electron/asset-protocol.ts` answers it). */
export function fileAddress(hash: string): string {
  return `asset://store/${hash}`;
}
