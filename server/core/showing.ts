// A slide: an asset (or the house card, or a message) on the stage, with how it looks and how long it stays.

import { kindOf, type Asset, type Fit, type WebOptions } from "./asset.ts";
import type { Transition } from "./playlist.ts";

/** What the glass shows while nothing is due: who this player is and where it listens. */
export interface IdleScreen {
  readonly playerName: string;
  /** Base address of the player interface, e.g. `http://127.0.0.1:8080`. */
  readonly apiAddress: string;
  /** False keeps the address and its code to itself. */
  readonly isAddressShown: boolean;
  /** As in `dd.mm.yyyy`. */
  readonly dateFormat: string;
  readonly is24Hour: boolean;
  /** An IANA name. */
  readonly zone: string;
  /** To be typed at a service, so that this player becomes a screen of it (V2-301). */
  readonly pairing?: { readonly pin: string; readonly at: string } | null;
}

/** The display's own speakers, or what else the PC has; where there is no such output, the system's choice. */
export type AudioOutput = "hdmi" | "local";

export interface AudioSettings {
  /** 0 to 1. */
  readonly volume: number;
  readonly isMuted: boolean;
  readonly output: AudioOutput;
}

export type ShowingContent =
  | { readonly kind: "image"; readonly url: string; readonly fit: Fit }
  | {
      readonly kind: "video";
      readonly url: string;
      /** True when a given duration outlasts the clip: it starts again without a gap. */
      readonly loop: boolean;
      readonly fit: Fit;
      readonly audio: AudioSettings;
    }
  | {
      readonly kind: "audio";
      readonly url: string;
      readonly loop: boolean;
      readonly audio: AudioSettings;
      /** Stands on the card that is seen while it is heard. */
      readonly title: string;
    }
  | {
      readonly kind: "stream";
      readonly url: string;
      readonly fit: Fit;
      readonly audio: AudioSettings;
      /** Stands on the card that is seen where there is nothing but sound. */
      readonly title: string;
    }
  | {
      readonly kind: "pdf";
      readonly url: string;
      /** From 1; null shows every page. */
      readonly pages: readonly number[] | null;
      readonly secondsPerPage: number;
      readonly rotation: 0 | 90 | 180 | 270;
    }
  | {
      readonly kind: "webpage";
      readonly url: string;
      /** Fetched anew each time, past every cache. */
      readonly noCache: boolean;
      readonly web: WebOptions;
      readonly audio: AudioSettings;
    }
  | {
      /** A folder of web files from the store, under an origin of its own. */
      readonly kind: "app";
      readonly url: string;
      /** Of what it is made: another one is another slide. */
      readonly version: string;
      readonly web: WebOptions;
      readonly audio: AudioSettings;
    }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "card"; readonly idleScreen: IdleScreen };

export type ShowingKind = ShowingContent["kind"];

export const showingKinds = [
  ...(["image", "video", "audio", "stream", "pdf"] as const),
  ...(["webpage", "app", "text", "card"] as const),
] as const satisfies readonly ShowingKind[];

export interface Showing {
  /** Names this one showing, so that a late report of an earlier one is recognised. */
  readonly id: string;
  /** Null for the house card and for a message. */
  readonly assetId: string | null;
  readonly name: string;
  readonly content: ShowingContent;
  /** How it takes the place of the one before it. */
  readonly transition: Transition;
  /** Null: until its own end (a video, a PDF's last page), or until something else is due (the card). */
  readonly durationSeconds: number | null;
}

/** How long a cross-fade lasts. */
export const crossFadeMs = 500;

/** How long before its end a clip gives way, so that a change that takes `changeMs` is over with it: at most half its length. */
export function endLeadMs(lengthMs: number, changeMs: number): number {
  return Math.min(changeMs, lengthMs / 2);
}

/** How long before its end a clip with sound is told to give way to another: time to start that to the moment. */
export const audioLeadMs = 300;

/** How long before its end a clip with an end of its own is to give way to what comes; `coverMs`: what a fade needs besides. */
export function selfEndLeadMs(
  { content }: Pick<Showing, "content">,
  next: Pick<Showing, "content" | "transition"> | null,
  coverMs: number,
): number {
  const isClip = content.kind === "video" || content.kind === "audio";
  if (!isClip || content.loop || !next) return 0;
  if (next.transition === "cross-fade") return crossFadeMs + coverMs;
  return isAudible(content) && isAudible(next.content) ? audioLeadMs : 0;
}

/** Whether its sound comes out of the PC, if it has any. */
function isAudible(content: Showing["content"]): boolean {
  if (content.kind !== "video" && content.kind !== "audio") return false;
  return !content.audio.isMuted && content.audio.volume > 0;
}

/** When a clip that takes `startMs` to be heard is to be started so that it follows, without a gap, one that has `leftMs` to play. */
export function audioStartMs(leftMs: number, startMs: number): number {
  return Math.max(0, leftMs - startMs);
}

/** A clip that starts again at its end, for as long as it stays. */
export function loopsToFillDuration({ content }: Showing): boolean {
  return "loop" in content && content.loop;
}

/** By how much the time given to a clip that plays round and round is over sooner, so that a fade to `next` ends with it. */
export function roundLeadMs(showing: Showing, next: Showing | null): number {
  const { durationSeconds } = showing;
  if (!loopsToFillDuration(showing) || durationSeconds === null) return 0;
  if (next?.transition !== "cross-fade") return 0;
  return endLeadMs(durationSeconds * 1000, crossFadeMs);
}

/** What a slide takes from the player's settings. */
export interface PresentationDefaults {
  readonly fit: Fit;
  readonly transition: Transition;
  readonly audio: AudioSettings;
  /** A stream has no end of its own. */
  readonly streamSeconds: number;
}

export const initialPresentationDefaults: PresentationDefaults = {
  fit: "fit",
  transition: "cut",
  audio: { volume: 1, isMuted: false, output: "hdmi" },
  streamSeconds: 300,
};

/** What a lineup says about one turn of an asset. */
export interface ShowingSpec {
  readonly asset: Asset;
  /** The playlist item's own; null goes by the asset's. */
  readonly durationSeconds: number | null;
  readonly transition: Transition | null;
}

/** An image or page without a duration stays this long: long enough to read, short enough not to stick. */
const minSeconds = 1;

/** What the stage is told to show for one turn of an asset. */
export function showingOf(
  spec: ShowingSpec,
  id: string,
  presentationDefaults: PresentationDefaults,
): Showing {
  const { asset } = spec;
  const given = secondsGiven(spec);
  return {
    id,
    assetId: asset.id,
    name: asset.name,
    content: contentOf(asset, given, presentationDefaults),
    transition: spec.transition ?? presentationDefaults.transition,
    durationSeconds: stayOf(asset, given, presentationDefaults),
  };
}

/** Whether it is a clip that starts again when it is over, since it was given a time (V2-7). */
export function isLooping(spec: ShowingSpec): boolean {
  return isClip(spec.asset) && secondsGiven(spec) > 0;
}

function isClip(asset: Asset): boolean {
  const kind = kindOf(asset);
  return kind === "video" || kind === "audio";
}

/**
 * How long its turn was given, in seconds; 0 is its own length. A clip that was given its own length, to half a second
 * or as the interface rounds it, ends with its last frame instead of beginning once more (V2-480).
 */
function secondsGiven({
  asset,
  durationSeconds,
}: Pick<ShowingSpec, "asset" | "durationSeconds">): number {
  const given = durationSeconds ?? asset.durationSeconds;
  const length = isClip(asset) ? (asset.file?.lengthSeconds ?? null) : null;
  // One of a few frames is given its second to be seen at all.
  if (length === null || length < 1) return given;
  const isLength =
    Math.abs(given - length) <= 0.5 || given === Math.ceil(length);
  return isLength ? 0 : given;
}

function contentOf(
  asset: Asset,
  given: number,
  presentationDefaults: PresentationDefaults,
): ShowingContent {
  const kind = kindOf(asset);
  const url = asset.file ? fileAddress(asset.file.hash) : asset.uri;
  const { presentation } = asset;
  const fit = presentation.fit ?? presentationDefaults.fit;
  const audio: AudioSettings = {
    volume:
      ((presentation.volume ?? 100) / 100) * presentationDefaults.audio.volume,
    isMuted: presentation.isMuted || presentationDefaults.audio.isMuted,
    output: presentationDefaults.audio.output,
  };
  const loop = given > 0;
  switch (kind) {
    case "image":
      return { kind, url, fit };
    case "video":
      return { kind, url, loop, fit, audio };
    case "audio":
      return { kind, url, loop, audio, title: asset.name };
    case "stream":
      return { kind, url, fit, audio, title: asset.name };
    case "pdf": {
      const { pages, rotation } = presentation;
      const secondsPerPage = Math.max(minSeconds, given);
      return { kind, url, pages, secondsPerPage, rotation };
    }
    case "webpage":
      return { kind, url, noCache: asset.noCache, web: asset.web, audio };
    case "app":
      return {
        ...{ kind, url: appAddress(asset.id), web: asset.web, audio },
        version: asset.file?.hash ?? "",
      };
  }
}

/** Null for what makes no sound. */
export function audioOf(content: ShowingContent): AudioSettings | null {
  return "audio" in content ? content.audio : null;
}

/** The same content, heard otherwise. */
export function withAudio(
  content: ShowingContent,
  audio: AudioSettings | null,
): ShowingContent {
  return "audio" in content && audio ? { ...content, audio } : content;
}

export function isSameAudio(
  a: AudioSettings | null,
  b: AudioSettings | null,
): boolean {
  return (
    a?.volume === b?.volume &&
    a?.isMuted === b?.isMuted &&
    a?.output === b?.output
  );
}

function stayOf(
  asset: Asset,
  given: number,
  presentationDefaults: PresentationDefaults,
): number | null {
  switch (kindOf(asset)) {
    case "video":
    case "audio":
      return given > 0 ? given : null;
    case "stream":
      return given > 0 ? given : presentationDefaults.streamSeconds;
    // Its pages take their turns; the last one's end is the slide's.
    case "pdf":
      return null;
    case "image":
    case "webpage":
    case "app":
      return Math.max(minSeconds, given);
  }
}

/** Equal for two assets, or two states of one, that look the same on the glass. */
export function contentKey(asset: Asset): string {
  const given = secondsGiven({ asset, durationSeconds: null });
  const content = contentOf(asset, given, initialPresentationDefaults);
  // A stream that is renamed need not begin again, nor what is heard otherwise.
  return JSON.stringify({
    ...content,
    ...("audio" in content && { audio: null }),
    ...(content.kind === "stream" && { title: "" }),
  });
}

/** Whether it can simply stay when it follows itself: what has an end of its own cannot, nor a page past its cache. */
export function canStay({ content }: Showing): boolean {
  switch (content.kind) {
    case "image":
    case "card":
    case "text":
    case "stream":
    case "app":
      return true;
    case "video":
    case "audio":
      return content.loop;
    case "pdf":
      return false;
    case "webpage":
      return !content.noCache;
  }
}

export function idleScreenShowing(idleScreen: IdleScreen, id: string): Showing {
  return {
    id,
    assetId: null,
    name: idleScreen.playerName,
    content: { kind: "card", idleScreen },
    transition: "cut",
    durationSeconds: null,
  };
}

/** The address under which the stage reads stored bytes (`electron/web/asset-protocol.ts` answers it). */
export function fileAddress(hash: string): string {
  return `asset://store/${hash}`;
}

/** The address of an app's first page: every app is an origin of its own. */
function appAddress(assetId: string): string {
  return `edge-app://${assetId}/`;
}
