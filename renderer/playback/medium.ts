// Medium interface: shows one kind of content with an element created once per layer and reused for each showing.

import type { ShowingContent, ShowingKind } from "../../server/core/showing.ts";

/** Receives the events of a medium that is on the screen. */
export interface MediumListener {
  onEnded(): void;
  onFailed(reason: string): void;
}

export type ContentOf<K extends ShowingKind> = ShowingContent & {
  readonly kind: K;
};

export interface Medium<K extends ShowingKind> {
  readonly element: HTMLElement;
  /** Resolves when its first frame can be painted; rejects with a message for people. */
  load(content: ContentOf<K>): Promise<void>;
  /** The medium is on the screen now: starts playback. */
  start(listener: MediumListener): void;
  /** Another layer fades in over it: its sound fades out too. */
  fadeOut(withinMs: number): void;
  /** Keeps its frame and does nothing else. */
  rest(): void;
  /** Releases everything it holds. */
  release(): void;
}

export function add<K extends keyof HTMLElementTagNameMap>(
  parent: HTMLElement,
  tag: K,
  className: string,
): HTMLElementTagNameMap[K] {
  const child = document.createElement(tag);
  child.className = className;
  parent.append(child);
  return child;
}
