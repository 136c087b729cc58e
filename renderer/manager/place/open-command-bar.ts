// Opens the manager's one command bar from anywhere, with a preset query where that helps.

import { createSpotlight } from "@mantine/spotlight";

const [store, bar] = createSpotlight();

export const commandStore = store;

let preset = "";

export function openCommands(words = ""): void {
  preset = words;
  bar.open();
}

/** Once: the next opening starts empty again. */
export function takePreset(): string {
  const words = preset;
  preset = "";
  return words;
}
