// Shows an image: decoded before it is shown, rotated by its EXIF orientation.

import { fitInto } from "./fit.ts";
import type { Medium } from "./medium.ts";

export function createImage(): Medium<"image"> {
  const element = document.createElement("img");
  // Never painted before it is decoded: a large image would show black where pixels are still missing.
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
