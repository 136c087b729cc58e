// Plays a video in the layer's media element.

import { fitInto } from "./fit.ts";
import type { MediaElement } from "./media-element.ts";
import type { Medium } from "./medium.ts";

/** A video that stalls for this long will not recover. */
const stallMs = 5000;

export function createVideo(media: MediaElement): Medium<"video"> {
  const { element } = media;
  return {
    element,
    load: async ({ url, loop, audio, fit }) => {
      const isFarAway = !url.startsWith("asset:");
      await media.load({ noun: "video", loop, audio, isFarAway }, () => {
        element.src = url;
        element.load();
      });
      const { videoWidth: width, videoHeight: height } = element;
      fitInto(element, fit, { width, height });
    },
    start: (listener) => media.start(listener, () => stallMs),
    fadeOut: media.fadeOut,
    rest: media.rest,
    release: media.release,
  };
}
