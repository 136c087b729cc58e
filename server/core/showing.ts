// A showing: an asset, the idle screen or a message on the stage, with its appearance and duration.

import { kindOf, type Asset, type Fit, type WebOptions } from "./asset.ts";
import type { Transition } from "./playlist.ts";

/** Shown while nothing is due: the player's name and the address it listens on. */
export interface IdleScreen {
  readonly playerName: string;
  /** Base address of the player interface, e.g. `http://127.0.0.1:8080`. */
  readonly apiAddress: string;
  /** False hides the address and the QR code. */
  readonly isAddressShown: boolean;
  /** Where the QR code leads; null where no other device could open it (V2-784). */
  readonly codeAddress: string | null;
  /** The QR code signs a phone in. */
  readonly isForPhones: boolean;
  /** Of the certificate that the player generated, SHA-256; null for any other, and without HTTPS (V2-789). */
  readonly fingerprint: string | null;
  /** e.g. `dd.mm.yyyy`. */
  readonly dateFormat: string;
  readonly is24Hour: boolean;
  /** An IANA name. */
  readonly zone: string;
  /** PIN to enter at a service, so that this player becomes one of its screens (V2-301). */
  readonly pairing?: { readonly pin: string; readonly at: string } | null;
}

/** The display's own speakers, or the PC's other output; the system's default if there is no such output. */
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
      /** True if the given duration is longer than the clip: it repeats without a gap. */
      readonly loop: boolean;
      readonly fit: Fit;
      readonly audio: AudioSettings;
    }
  | {
      readonly kind: "audio";
      readonly url: string;
      readonly loop: boolean;
      readonly audio: AudioSettings;
      /** Shown on the card that is visible while it plays. */
      readonly title: string;
    }
  | {
      readonly kind: "stream";
      readonly url: string;
      readonly fit: Fit;
      readonly audio: AudioSettings;
      /** Shown on the card that is visible for an audio-only stream. */
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
      /** Bypasses every cache on each request. */
      readonly noCache: boolean;
      readonly web: WebOptions;
      readonly audio: AudioSettings;
    }
  | {
      /** A folder of web files from the store, under an origin of its own. */
      readonly kind: "app";
      readonly url: string;
      /** Version of its files: another version is another showing. */
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
  /** Identifies this one showing, so that a late report about an earlier one is recognized. */
  readonly id: string;
  /** Null for the idle screen and for a message. */
  readonly assetId: string | null;
  readonly name: string;
  readonly content: ShowingContent;
  /** How it replaces the one before it. */
  readonly transition: Transition;
  /** Null: until its own end (a video, a PDF's last page), or until something else is due (the idle screen). */
  readonly durationSeconds: number | null;
}

/** Duration of a cross-fade. */
export const crossFadeMs = 500;

/** How long before its end a clip is replaced, so that a change that takes `changeMs` ends with it: at most half its length. */
export function endLeadMs(lengthMs: number, changeMs: number): number {
  return Math.min(changeMs, lengthMs / 2);
}

/** How long before its end a clip with sound reports it, so that the next one can be started exactly on time. */
export const audioLeadMs = 300;

/** How long before its end a clip that ends by itself is to be replaced; `coverMs`: the extra time a fade needs. */
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

/** Whether it plays sound on the PC, if it has any. */
function isAudible(content: Showing["content"]): boolean {
  if (content.kind !== "video" && content.kind !== "audio") return false;
  return !content.audio.isMuted && content.audio.volume > 0;
}

/** When to start a clip that needs `startMs` until it is heard, so that it follows one with `leftMs` to play without a gap. */
export function audioStartMs(leftMs: number, startMs: number): number {
  return Math.max(0, leftMs - startMs);
}

/** A clip that repeats for as long as it is on screen. */
export function loopsToFillDuration({ content }: Showing): boolean {
  return "loop" in content && content.loop;
}

/** How much earlier the duration of a repeating clip ends, so that a fade to `next` ends with it. */
export function roundLeadMs(showing: Showing, next: Showing | null): number {
  const { durationSeconds } = showing;
  if (!loopsToFillDuration(showing) || durationSeconds === null) return 0;
  if (next?.transition !== "cross-fade") return 0;
  return endLeadMs(durationSeconds * 1000, crossFadeMs);
}

/** Presentation defaults: what a showing takes from the player's settings. */
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

/** What the lineup defines for one showing of an asset. */
export interface ShowingSpec {
  readonly asset: Asset;
  /** The playlist item's duration; null uses the asset's. */
  readonly durationSeconds: number | null;
  readonly transition: Transition | null;
}

/** Minimum for an image or page without a duration: long enough to read, short enough not to get stuck. */
const minSeconds = 1;

/** The showing for one lineup entry. */
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

/** Whether it is a clip that repeats because it was given a duration (V2-7). */
export function isLooping(spec: ShowingSpec): boolean {
  return isClip(spec.asset) && secondsGiven(spec) > 0;
}

function isClip(asset: Asset): boolean {
  const kind = kindOf(asset);
  return kind === "video" || kind === "audio";
}

/**
 * The given duration, in seconds; 0 is its own length. A clip whose given duration equals its own length, to half a second or as
 * the interface rounds it, ends with its last frame instead of starting once more (V2-480).
 */
function secondsGiven({
  asset,
  durationSeconds,
}: Pick<ShowingSpec, "asset" | "durationSeconds">): number {
  const given = durationSeconds ?? asset.durationSeconds;
  const length = isClip(asset) ? (asset.file?.lengthSeconds ?? null) : null;
  // A clip of a few frames keeps its second, so that it can be seen at all.
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

/** Null for content without sound. */
export function audioOf(content: ShowingContent): AudioSettings | null {
  return "audio" in content ? content.audio : null;
}

/** The same content with other audio settings. */
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
    // Its pages are shown one after the other; the showing ends with the last one.
    case "pdf":
      return null;
    case "image":
    case "webpage":
    case "app":
      return Math.max(minSeconds, given);
  }
}

/** Equal for two assets, or two states of one, that look the same on screen. */
export function contentKey(asset: Asset): string {
  const given = secondsGiven({ asset, durationSeconds: null });
  const content = contentOf(asset, given, initialPresentationDefaults);
  // A stream that is renamed, or whose audio settings change, need not start again.
  return JSON.stringify({
    ...content,
    ...("audio" in content && { audio: null }),
    ...(content.kind === "stream" && { title: "" }),
  });
}

/** Whether it can simply stay when it follows itself: not with an end of its own, nor a page that bypasses the cache. */
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

/** The URL under which the stage reads stored bytes (served by `electron/web/asset-protocol.ts`). */
export function fileAddress(hash: string): string {
  return `asset://store/${hash}`;
}

/** The URL of an app's first page: every app has an origin of its own. */
function appAddress(assetId: string): string {
  return `edge-app://${assetId}/`;
}
