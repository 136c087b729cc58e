// One showing as an element. The medium for each kind is created once and reused permanently.

import type {
  ShowingContent,
  ShowingKind,
  AudioSettings,
} from "../../server/core/showing.ts";
import { createAudio } from "./audio.ts";
import { createIdleScreen } from "./idle-screen.ts";
import { createImage } from "./image.ts";
import { createMediaElement } from "./media-element.ts";
import type { MediumListener, Medium } from "./medium.ts";
import { createPdf } from "./pdf.ts";
import { createStream } from "./stream.ts";
import { createText } from "./text.ts";
import { createVideo } from "./video.ts";

// Why a file of the store could not be shown: a missing file is not a fault of its format.

const subjects: Partial<Record<ShowingContent["kind"], string>> = {
  image: "The file of this image",
  video: "The file of this video",
  audio: "This audio file",
  pdf: "The file of this PDF",
};

/** The given reason, unless the file is missing; then that is the reason. */
async function reasonFor(
  content: ShowingContent,
  error: unknown,
): Promise<unknown> {
  const subject = subjects[content.kind];
  if (subject === undefined || !("url" in content)) return error;
  return (await isMissing(content.url))
    ? new Error(`${subject} is missing.`)
    : error;
}

async function isMissing(url: string): Promise<boolean> {
  if (!url.startsWith("asset:")) return false;
  const answer = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  return answer?.status === 404;
}

export interface Layer {
  readonly element: HTMLElement;
  /** Resolves when the content can be shown; rejects with a message for people. */
  load(content: ShowingContent): Promise<void>;
  /** The layer is on the screen now: starts playback. */
  start(listener: MediumListener): void;
  tune(audio: AudioSettings): void;
  /** Another layer fades in over this one. */
  fadeOut(withinMs: number): void;
  /** Keeps its frame and does nothing else. */
  rest(): void;
  /** Releases everything it holds. */
  release(): void;
  isEmpty(): boolean;
  /** True when it shows audio only. */
  isAudio(): boolean;
  /** Milliseconds from the start of its content until it is audible; null for content without sound. */
  untilAudibleMs(): number | null;
  /**
   * Milliseconds until a change that takes `changeMs` has to begin in order to finish with the content; Infinity for content
   * without an end.
   */
  leftMs(changeMs: number): number;
}

/** Web pages and apps are not shown by the stage: they have a view of their own. */
type StageKind = Exclude<ShowingKind, "webpage" | "app">;

export function createLayer(): Layer {
  const element = document.createElement("div");
  element.className = "layer";
  // The only media element of this layer, whatever is played.
  const media = createMediaElement();
  element.append(media.element);
  const makers: { readonly [K in StageKind]: () => Medium<K> } = {
    image: createImage,
    video: () => createVideo(media),
    audio: () => createAudio(media),
    stream: () => createStream(media),
    pdf: createPdf,
    text: createText,
    card: createIdleScreen,
  };
  const mediaByKind = new Map<StageKind, Medium<StageKind>>();
  let current: Medium<StageKind> | null = null;

  function mediumFor(kind: StageKind): Medium<StageKind> {
    const cached = mediaByKind.get(kind);
    if (cached) return cached;
    // Content is only ever passed to a medium of its own kind.
    const medium = makers[kind]() as Medium<StageKind>;
    if (!medium.element.parentElement) element.append(medium.element);
    mediaByKind.set(kind, medium);
    return medium;
  }

  function release(): void {
    current?.release();
    current?.element.classList.remove("on");
    current = null;
  }

  return {
    element,
    load: async (content) => {
      release();
      if (content.kind === "webpage" || content.kind === "app")
        throw new Error("A page is shown in a view of its own.");
      const medium = mediumFor(content.kind);
      current = medium;
      medium.element.classList.add("on");
      try {
        await medium.load(content);
      } catch (error) {
        throw await reasonFor(content, error);
      }
    },
    start: (listener) => current?.start(listener),
    tune: (audio) => {
      // The volume is set; the sound keeps its output.
      media.tune(audio).catch(() => undefined);
    },
    fadeOut: (withinMs) => current?.fadeOut(withinMs),
    rest: () => current?.rest(),
    release,
    isEmpty: () => current === null,
    isAudio: () => current !== null && current === mediaByKind.get("audio"),
    untilAudibleMs: () => media.untilAudibleMs(),
    leftMs: (changeMs) => media.leftMs(changeMs),
  };
}
