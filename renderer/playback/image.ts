// A picture: decoded before it is shown, turned as its camera was held.

import { fitInto } from "./fit.ts";
import type { Medium } from "./medium.ts";

export function createImage(): Medium<"image"> {
  const element = document.createElement("img");
  // Never painted before it is decoded: a large picture would leave black where it is still to come.
  element.decoding = "sync";
  element.alt = "";
  return {
    element,
    load: async ({ url, fit }) => {
      element.src = url;
      try {
        await element.decode();
      } catch {
        throw new Error(
          url.startsWith("asset:")
            ? "This image cannot be decoded."
            : "This image could not be loaded from its address.",
        );
      }
      const { naturalWidth: width, naturalHeight: height } = element;
      fitInto(element, fit, { width, height });
    },
    start: () => undefined,
    fadeOut: () => undefined,
    rest: () => undefined,
    release: () => element.removeAttribute("src"),
  };
}
