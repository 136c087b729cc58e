// Full-screen message, readable from a distance.

import { drift, everyMinute, lettersReady } from "./burn-in-protection.ts";
import { fitLetters } from "./fit-text.ts";
import { add, type Medium } from "./medium.ts";

/** A single word does not fill the whole screen; a long text stays readable from a few steps away. */
const sizes = { least: 2.5, most: 34 };

export function createText(): Medium<"text"> {
  const element = document.createElement("section");
  element.className = "message";
  const textBox = add(element, "div", "drift");
  const text = add(textBox, "p", "words");
  // Each paragraph follows the direction of its own script.
  text.dir = "auto";
  let stopMoving = (): void => undefined;
  const fit = () => {
    if (textBox.clientHeight > 0) fitLetters(text, textBox, sizes);
  };
  new ResizeObserver(fit).observe(textBox);

  function rest(): void {
    stopMoving();
  }

  return {
    element,
    load: async (content) => {
      text.textContent = content.text;
      drift(textBox, Date.now());
      await lettersReady();
      fit();
    },
    start: () => (stopMoving = everyMinute((moment) => drift(textBox, moment))),
    fadeOut: () => undefined,
    rest,
    release: rest,
  };
}
