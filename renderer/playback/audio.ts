// Plays audio in the layer's media element and shows the audio card meanwhile.

import type { MediaElement } from "./media-element.ts";
import type { Medium } from "./medium.ts";
import { createAudioCard } from "./audio-card.ts";

/** Audio that stalls for this long will not recover. */
const stallMs = 5000;

export function createAudio(media: MediaElement): Medium<"audio"> {
  const { element: audio } = media;
  const card = createAudioCard(audio);
  return {
    element: card.element,
    load: async (content) => {
      const { url, loop, audio: loudness } = content;
      const painted = card.showTitle(content.title);
      const isFarAway = !url.startsWith("asset:");
      const playable = { noun: "audio file", loop, isFarAway } as const;
      await media.load({ ...playable, audio: loudness }, () => {
        audio.src = url;
        audio.load();
      });
      await painted;
    },
    start: (listener) => {
      card.start();
      media.start(listener, () => stallMs);
    },
    fadeOut: media.fadeOut,
    rest: () => {
      card.rest();
      media.rest();
    },
    release: () => {
      card.rest();
      media.release();
    },
  };
}
