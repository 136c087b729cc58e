// The name of the screen, as large as it fits, upright on a display of any orientation.

import { fitLetters } from "../playback/fit-text.ts";

const words = new URLSearchParams(location.search);
const orientation = Number(words.get("orientation") ?? 0);

const screen = document.querySelector<HTMLElement>("#screen");
const panel = document.querySelector<HTMLElement>("#panel");
const name = document.querySelector<HTMLElement>("#name");
if (screen && panel && name) {
  name.textContent = words.get("name");
  const draw = (): void => {
    const isUpright = orientation % 180 === 90;
    screen.style.width = isUpright ? "100vh" : "100vw";
    screen.style.height = isUpright ? "100vw" : "100vh";
    screen.style.transform = `translate(-50%, -50%) rotate(${orientation}deg)`;
    fitLetters(name, panel, { least: 3, most: 24 });
  };
  draw();
  window.addEventListener("resize", draw);
}
