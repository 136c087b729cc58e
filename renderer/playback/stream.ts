// Shows a live or recorded HLS stream in the layer's media element; an audio-only stream is shown as a card.

import { fitInto } from "./fit.ts";
import type { OpenStream } from "./lazy/hls.ts";
import type { MediaElement } from "./media-element.ts";
import type { MediumListener, Medium } from "./medium.ts";
import { createAudioCard } from "./audio-card.ts";

/** A stream may stall briefly; its last frame stays meanwhile. */
const stallMs = 10_000;
/** Shorter when the server delivers nothing. */
const failingStallMs = 2000;

export function createStream(media: MediaElement): Medium<"stream"> {
  const { element } = media;
  const card = createAudioCard(element);
  let isAudioOnly = false;
  let stream: OpenStream | null = null;
  let listener: MediumListener | null = null;
  /** Why the stream was lost, if that happened before it was shown. */
  let lostReason: string | null = null;
  /** Counts the streams: results of an earlier one are dropped. */
  let generation = 0;

  async function load(
    ...[{ url, audio, fit, title }]: Parameters<Medium<"stream">["load"]>
  ): Promise<void> {
    const mine = ++generation;
    const refusal = refusalOf(url);
    if (refusal !== null) throw new Error(refusal);
    const { openStream } = await import("./lazy/hls.ts");
    if (mine !== generation)
      throw new Error("It was replaced by another showing.");
    let lost = (_reason: string): void => undefined;
    const broken = new Promise<never>((_resolve, reject) => {
      lost = (reason) => reject(new Error(reason));
    });
    const playable = { noun: "stream", loop: false, audio } as const;
    const loaded = media.load({ ...playable, isFarAway: true }, () => {
      stream = openStream(url, element, {
        onLost: (reason) => {
          if (mine !== generation) return;
          lost(reason);
          lostReason = reason;
          listener?.onFailed(reason);
        },
      });
    });
    await Promise.race([loaded, broken]);
    // From here on the loss is reported by the showing on the screen.
    broken.catch(() => undefined);
    const { videoWidth: width, videoHeight: height } = element;
    isAudioOnly = width === 0;
    if (!isAudioOnly) fitInto(element, fit, { width, height });
    else await showCard(title);
  }

  async function showCard(title: string): Promise<void> {
    if (!card.element.parentElement) element.after(card.element);
    element.classList.remove("on");
    card.element.classList.add("on");
    await card.showTitle(title);
  }

  function hideCard(): void {
    card.rest();
    card.element.classList.remove("on");
    isAudioOnly = false;
  }

  function rest(): void {
    listener = null;
    card.rest();
    media.rest();
  }

  return {
    element,
    load,
    start: (mediumListener) => {
      listener = mediumListener;
      if (isAudioOnly) card.start();
      if (lostReason !== null) mediumListener.onFailed(lostReason);
      media.start(mediumListener, () =>
        stream?.isFailing() ? failingStallMs : stallMs,
      );
    },
    fadeOut: media.fadeOut,
    rest,
    release: () => {
      generation++;
      lostReason = null;
      rest();
      hideCard();
      stream?.close();
      stream = null;
      media.release();
    },
  };
}

function refusalOf(url: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? "";
  if (!["http", "https", "asset"].includes(scheme))
    return `Streams over ${scheme} are not supported; use HLS over http or https.`;
  if (/^[^?#]*\.mpd(?:[?#]|$)/i.test(url))
    return "DASH streams are not supported; use HLS.";
  return null;
}
