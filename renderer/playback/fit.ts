// How a picture or a film fills the glass.

import type { Fit } from "../../server/core/asset.ts";

/** `natural` is one of its dots on one of the display's, in the middle. */
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
