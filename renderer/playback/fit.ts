// How an image or a video is fitted to the screen.

import type { Fit } from "../../server/core/asset.ts";

/** `natural` maps one pixel of the content to one pixel of the display, centred. */
export function fitInto(
  element: HTMLElement,
  fit: Fit,
  natural: { readonly width: number; readonly height: number },
): void {
  element.dataset.fit = fit;
  const isNatural = fit === "natural" && natural.width > 0;
  const px = (dots: number) => `${dots / window.devicePixelRatio}px`;
  element.style.width = isNatural ? px(natural.width) : "";
  element.style.height = isNatural ? px(natural.height) : "";
}
