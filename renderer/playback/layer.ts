// One slide as an element: image, video or card. The elements are made once and used for ever.

import type { SlideContent } from "../../server/contract/ipc.ts";
import { createCard, type Card } from "./card.ts";
import { framePainted } from "./frame.ts";
import { createVideo, type GlassListener } from "./video.ts";

export interface Layer {
  readonly element: HTMLElement;
  /** Resolves when it could be shown; rejects with a sentence. */
  load(content: SlideContent): Promise<void>;
  /** Resolves when its first picture is there to be seen, not only loaded. Needs to be uncovered, faint as it may be. */
  surface(): Promise<void>;
  /** It is on the glass now: let it run. */
  start(listener: GlassListener): void;
  /** Keeps its picture and does nothing more. */
  rest(): void;
  /** Lets go of everything it holds. */
  release(): void;
  isEmpty(): boolean;
}

export function createLayer(): Layer {
  const element = document.createElement("div");
  element.className = "layer";
  const image = document.createElement("img");
  // Never painted before it is decoded: a large picture would leave black where it is still to come.
  image.decoding = "sync";
  image.alt = "";
  const video = createVideo();
  element.append(image, video.element);
  let card: Card | null = null;

  async function load(content: SlideContent): Promise<void> {
    release();
    switch (content.kind) {
      case "image":
        element.dataset.kind = "image";
        return loadImage(image, content.url);
      case "video":
        element.dataset.kind = "video";
        return video.load(content.url, content.loop);
      case "card":
        if (!card) element.append((card = createCard()).element);
        element.dataset.kind = "card";
        return card.fill(content.card);
      case "webpage":
        throw new Error("A page is shown in a view of its own.");
    }
  }

  function rest(): void {
    video.rest();
    card?.rest();
  }

  function release(): void {
    rest();
    delete element.dataset.kind;
    image.removeAttribute("src");
    video.release();
  }

  return {
    element,
    load,
    surface: async () => {
      if (element.dataset.kind !== "video") return;
      // Covered, a video hands no frame on. Uncovered, its first one passes through two processes before it is seen.
      await framePainted();
      await framePainted();
    },
    start: (listener) => {
      if (element.dataset.kind === "video") video.start(listener);
      if (element.dataset.kind === "card") card?.start();
    },
    rest,
    release,
    isEmpty: () => element.dataset.kind === undefined,
  };
}

async function loadImage(image: HTMLImageElement, url: string): Promise<void> {
  image.src = url;
  try {
    await image.decode();
  } catch {
    throw new Error(
      url.startsWith("asset:")
        ? "This image cannot be decoded."
        : "This image could not be loaded from its address.",
    );
  }
}
