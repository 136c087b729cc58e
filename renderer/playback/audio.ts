// A sound in the layer's media element, and the card that is seen while it is heard.

import { drift, everyMinute, lettersReady } from "./drift.ts";
import { fitLetters } from "./letters.ts";
import type { MediaElement } from "./media-element.ts";
import { add, type Medium } from "./medium.ts";

/** A sound that stands still this long is not coming back. */
const stallMs = 5000;
const sizes = { least: 3, most: 11 };

export function createAudio(media: MediaElement): Medium<"audio"> {
  const element = document.createElement("section");
  element.className = "sound";
  const moving = add(element, "div", "drift");
  add(moving, "div", "waves").append(
    ...Array.from({ length: 5 }, () => document.createElement("i")),
  );
  const room = add(moving, "div", "title-room");
  const title = add(room, "h1", "title");
  title.dir = "auto";
  const bar = add(moving, "div", "progress");
  const played = add(bar, "div", "played");
  let stopMoving = (): void => undefined;
  const { element: sound } = media;
  const fit = () => {
    if (room.clientHeight > 0) fitLetters(title, room, sizes);
  };
  new ResizeObserver(fit).observe(room);
  sound.addEventListener("timeupdate", () => {
    if (!element.classList.contains("on")) return;
    const part = sound.currentTime / sound.duration;
    setPart(played, Number.isFinite(part) ? part : 0);
  });

  return {
    element,
    load: async (content) => {
      const { url, loop, sound: loudness } = content;
      title.textContent = content.title;
      setPart(played, 0);
      drift(moving, Date.now());
      const isFarAway = !url.startsWith("asset:");
      const playable = { noun: "sound", loop, isFarAway } as const;
      await media.load({ ...playable, sound: loudness }, () => {
        sound.src = url;
        sound.load();
      });
      await lettersReady();
      fit();
    },
    start: (listener) => {
      stopMoving = everyMinute((moment) => drift(moving, moment));
      element.classList.add("playing");
      media.start(listener, () => stallMs);
    },
    hush: media.hush,
    rest: () => {
      stopMoving();
      element.classList.remove("playing");
      media.rest();
    },
    release: () => {
      stopMoving();
      element.classList.remove("playing");
      media.release();
    },
  };
}

function setPart(played: HTMLElement, part: number): void {
  played.style.transform = `scaleX(${part.toFixed(4)})`;
}
