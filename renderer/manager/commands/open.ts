// The command bar is one for the whole desk; this opens it from anywhere, with words in it where they help.

import { createSpotlight } from "@mantine/spotlight";

const [store, bar] = createSpotlight();

export const commandStore = store;

let preset = "";

export function openCommands(words = ""): void {
  preset = words;
  bar.open();
}

/** Once: the next opening begins with nothing again. */
export function takePreset(): string {
  const words = preset;
  preset = "";
  return words;
}
