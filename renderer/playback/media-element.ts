// One media element, reused for clip after clip: loaded, started, watched and released. Their number never grows.

import { endLeadMs, type AudioSettings } from "../../server/core/showing.ts";
import type { MediumListener } from "./medium.ts";
import { sendTo } from "./audio-output.ts";

// Latency from play() until a media element is audible: measured at each start, so that the next one can begin on time.

/** Used until one has started. */
const defaultMs = 40;
/** A longer latency was caused by something else. */
const maxMs = 250;
/** By then it plays. */
const measuredAfterMs = 400;

/** Kept per kind: a video has to decode frames besides sound. */
const lastMs = new Map<string, number>();

function startLatencyMs(noun: string): number {
  return lastMs.get(noun) ?? defaultMs;
}

/** Called together with play(), at the beginning of the clip. */
function measureStart(
  noun: string,
  element: HTMLMediaElement,
  signal: AbortSignal,
): void {
  const from = element.currentTime;
  const calledAtMs = performance.now();
  setTimeout(() => {
    const playedMs = (element.currentTime - from) * 1000;
    if (signal.aborted || element.paused || playedMs <= 0) return;
    const latencyMs = performance.now() - calledAtMs - playedMs;
    lastMs.set(noun, Math.min(maxMs, Math.max(0, latencyMs)));
  }, measuredAfterMs);
}

/** What to play, and the words that messages use for it. */
export interface Playable {
  readonly noun: "video" | "audio file" | "stream";
  readonly loop: boolean;
  readonly audio: AudioSettings;
  readonly isFarAway: boolean;
}

export interface MediaElement {
  readonly element: HTMLVideoElement;
  /** `attach` sets the element's source. Resolves when it can play and its first frame, if any, is available. */
  load(playable: Playable, attach: () => void): Promise<void>;
  /** `stallMs`: after a stall of this length it will not recover. */
  start(listener: MediumListener, stallMs: () => number): void;
  /** Applies audio settings; resolves once the requested output is in use. */
  tune(audio: AudioSettings): Promise<void>;
  fadeOut(withinMs: number): void;
  rest(): void;
  release(): void;
  /**
   * Milliseconds until a change that takes `changeMs` has to begin in order to finish with the clip; Infinity when nothing plays or
   * it has no end.
   */
  leftMs(changeMs: number): number;
  /** Milliseconds from its start until it is audible; null for content without sound. */
  untilAudibleMs(): number | null;
}

const checkIntervalMs = 500;
/**
 * The first frame comes with the data, and on a busy machine some time later: until then the element is black. Where the
 * compositor never reports it, it is not waited for any longer.
 */
const firstFrameMs = 2000;
const fadeOutSteps = 10;

export function createMediaElement(): MediaElement {
  const element = document.createElement("video");
  element.playsInline = true;
  element.disablePictureInPicture = true;
  element.disableRemotePlayback = true;
  /** Removes the listeners of the previous clip; an element is never without a next clip for long. */
  let loaded = new AbortController();
  let playing: Playable | null = null;
  let stopWatching = (): void => undefined;
  let stopHushing = (): void => undefined;

  async function load(playable: Playable, attach: () => void): Promise<void> {
    stopHushing();
    loaded.abort();
    loaded = new AbortController();
    playing = playable;
    const { signal } = loaded;
    element.loop = playable.loop;
    element.preload = "auto";
    setVolume(playable.audio);
    const canPlay = new Promise<void>((resolve, reject) => {
      const failed = () =>
        reject(new Error(sentenceOf(element.error, playable)));
      element.addEventListener("canplay", () => resolve(), { signal });
      element.addEventListener("error", failed, { signal });
    });
    const frame = firstFrame(element, signal);
    attach();
    await canPlay;
    await tune(playable.audio);
    if (playable.noun === "audio file") return;
    if (element.videoWidth > 0) await frame;
    else if (playable.noun === "video")
      throw new Error("This video has no video track.");
  }

  function start(listener: MediumListener, stallMs: () => number): void {
    const { signal } = loaded;
    const noun = playing?.noun ?? "video";
    let stoodStillMs = 0;
    let lastTime = -1;
    const timer = setInterval(() => {
      if (element.ended) return;
      stoodStillMs =
        element.currentTime === lastTime ? stoodStillMs + checkIntervalMs : 0;
      lastTime = element.currentTime;
      if (stoodStillMs >= stallMs()) fail(`The ${noun} stalled.`);
      // Media keys and the system can pause playback that this player did not pause.
      else if (element.paused) void play(element).catch(() => undefined);
    }, checkIntervalMs);
    stopWatching = () => clearInterval(timer);
    const fail = (reason: string) => {
      stopWatching();
      listener.onFailed(reason);
    };
    const failed = () => {
      if (playing) fail(sentenceOf(element.error, playing));
    };
    const ended = () => {
      stopWatching();
      listener.onEnded();
    };
    element.addEventListener("error", failed, { signal });
    element.addEventListener("ended", ended, { signal });
    if (isAudible()) measureStart(noun, element, signal);
    play(element).catch(() => {
      // A video of a single frame ends before it is reported as playing: it was shown.
      if (!signal.aborted && !element.ended) fail(`The ${noun} did not start.`);
    });
  }

  function setVolume({ volume, isMuted }: AudioSettings): void {
    element.volume = volume;
    element.muted = isMuted;
  }

  async function tune(audio: AudioSettings): Promise<void> {
    setVolume(audio);
    // Silent content needs no output, and enumerating outputs starts a Chromium service that keeps running.
    if (audio.isMuted || audio.volume === 0 || !hasAudio(element)) return;
    await sendTo(element, audio.output);
  }

  function fadeOut(withinMs: number): void {
    const stepMs = withinMs / fadeOutSteps;
    const stepDown = element.volume / fadeOutSteps;
    const timer = setInterval(() => {
      element.volume = Math.max(0, element.volume - stepDown);
    }, stepMs);
    stopHushing = () => clearInterval(timer);
  }

  function rest(): void {
    stopWatching();
    stopHushing();
    loaded.abort();
    element.pause();
  }

  function release(): void {
    rest();
    playing = null;
    if (!element.hasAttribute("src")) return;
    element.removeAttribute("src");
    // Only this makes Chromium release the decoder and its buffers.
    element.load();
  }

  function leftMs(changeMs: number): number {
    const { loop, paused, duration, currentTime } = element;
    if (loop || paused || !Number.isFinite(duration)) return Infinity;
    const lengthMs = duration * 1000;
    return lengthMs - currentTime * 1000 - endLeadMs(lengthMs, changeMs);
  }

  function isAudible(): boolean {
    if (!playing || playing.noun === "stream") return false;
    return !element.muted && element.volume > 0 && hasAudio(element);
  }

  function untilAudibleMs(): number | null {
    return playing && isAudible() ? startLatencyMs(playing.noun) : null;
  }

  return {
    ...{ element, load, start, tune, fadeOut, rest, release, leftMs },
    untilAudibleMs,
  };
}

/** Plays with sound, or muted where autoplay with sound is blocked. */
async function play(element: HTMLVideoElement): Promise<void> {
  try {
    await element.play();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "NotAllowedError"))
      throw error;
    element.muted = true;
    await element.play();
  }
}

/** Known once it can play: the first audio has been decoded by then. */
function hasAudio(element: HTMLVideoElement): boolean {
  const { webkitAudioDecodedByteCount: bytes } = element as {
    readonly webkitAudioDecodedByteCount?: number;
  };
  return bytes !== 0;
}

function firstFrame(
  element: HTMLVideoElement,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    element.requestVideoFrameCallback(() => resolve());
    const later = () => setTimeout(resolve, firstFrameMs);
    element.addEventListener("canplay", later, { once: true, signal });
  });
}

function sentenceOf(
  error: MediaError | null,
  { noun, isFarAway }: Playable,
): string {
  if (error?.code === MediaError.MEDIA_ERR_DECODE)
    return `This ${noun} cannot be decoded.`;
  if (error?.code === MediaError.MEDIA_ERR_NETWORK)
    return isFarAway
      ? `This ${noun} could not be loaded from its address.`
      : `This ${noun} could not be read.`;
  return isFarAway
    ? `This ${noun} could not be loaded from its address, or cannot be played.`
    : `The format of this ${noun} is not supported.`;
}
