// One way of showing content: an element made once in each layer, and used slide after slide.

import type { ShowingContent, ShowingKind } from "../../server/core/showing.ts";

/** Who is told how it goes on the glass. */
export interface MediumListener {
  onEnded(): void;
  onFailed(reason: string): void;
}

export type ContentOf<K extends ShowingKind> = ShowingContent & {
  readonly kind: K;
};

export interface Medium<K extends ShowingKind> {
  readonly element: HTMLElement;
  /** Resolves when its first picture could be painted; rejects with a sentence. */
  load(content: ContentOf<K>): Promise<void>;
  /** It is on the glass now: let it run. */
  start(listener: MediumListener): void;
  /** Another fades in over it: so does the sound of it fade. */
  fadeOut(withinMs: number): void;
  /** Keeps its picture and does nothing more. */
  rest(): void;
  /** Lets go of everything it holds. */
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
