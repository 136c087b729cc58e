// Card shown while audio plays: its title and its progress.

import { drift, everyMinute, lettersReady } from "./burn-in-protection.ts";
import { fitLetters } from "./fit-text.ts";
import { add } from "./medium.ts";

const sizes = { least: 3, most: 11 };

export interface AudioCard {
  readonly element: HTMLElement;
  /** Resolves when the card could be painted. */
  showTitle(title: string): Promise<void>;
  start(): void;
  rest(): void;
}

/** `audio` is the element that plays; audio without an end shows no progress. */
export function createAudioCard(audio: HTMLMediaElement): AudioCard {
  const element = document.createElement("section");
  element.className = "sound";
  const moving = add(element, "div", "drift");
  add(moving, "div", "waves").append(
    ...Array.from({ length: 5 }, () => document.createElement("i")),
  );
  const titleBox = add(moving, "div", "title-room");
  const title = add(titleBox, "h1", "title");
  title.dir = "auto";
  const bar = add(moving, "div", "progress");
  const played = add(bar, "div", "played");
  let stopMoving = (): void => undefined;
  const fit = () => {
    if (titleBox.clientHeight > 0) fitLetters(title, titleBox, sizes);
  };
  new ResizeObserver(fit).observe(titleBox);
  audio.addEventListener("timeupdate", () => {
    if (!element.classList.contains("on")) return;
    const part = audio.currentTime / audio.duration;
    setPart(played, Number.isFinite(part) ? part : 0);
  });

  return {
    element,
    showTitle: async (text) => {
      title.textContent = text;
      setPart(played, 0);
      drift(moving, Date.now());
      await lettersReady();
      fit();
    },
    start: () => {
      stopMoving = everyMinute((moment) => drift(moving, moment));
      element.classList.add("playing");
    },
    rest: () => {
      stopMoving();
      element.classList.remove("playing");
    },
  };
}

function setPart(played: HTMLElement, part: number): void {
  played.style.transform = `scaleX(${part.toFixed(4)})`;
}
