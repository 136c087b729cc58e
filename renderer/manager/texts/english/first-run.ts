// English texts of the first run.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted } from "../counts-and-quotes.ts";

export function firstRun(formats: Formats) {
  const assets = counted(formats, "asset", "assets");
  return {
    title: "Set this PC up",
    skipAll: "Skip",
    next: "Next",
    notKept: "This was not kept.",
    steps: { role: "This PC", display: "Display", content: "Content" },
    roleQuestion: "What is this PC for?",
    roles: {
      both: {
        name: "A screen and a desk",
        description: "It shows content, and you work here too.",
      },
      screen: {
        name: "A screen",
        description:
          "It shows by itself and starts with the PC. Start Vitrine once more to open this window.",
      },
      desk: {
        name: "A desk",
        description: "You prepare here what is shown elsewhere.",
      },
    },
    nextStart: "Takes effect the next time Vitrine starts.",
    displayQuestion: "Which display shows the programme?",
    display: (name: string) => `Display ${isolate(name)}`,
    managerIsHere: "this window is on it",
    orientationQuestion: "How does it hang?",
    orientations: {
      0: "Not turned",
      90: "Turned right",
      180: "Upside down",
      270: "Turned left",
    },
    pattern: "Show a test pattern",
    patternDescription:
      "Red at the very edge, green around what is safe, round circles, and a tone left, right and from both sides.",
    patternShown: (seconds: number) =>
      `The test pattern is on the screen for ${formats.length(seconds)}`,
    contentQuestion: "What shall it show?",
    drop: "Drop pictures, videos or PDFs anywhere in this window, or:",
    inLibrary: (number: number) => `${assets(number)} in the library`,
    cloud: "Connect a cloud",
    cloudDescription: "With a token from your account",
    restore: "Restore a backup",
    restoreDescription: "Of Vitrine or of Anthias",
    otherWays: "Another way",
    cloudConnected: "The cloud is connected",
    cloudNext:
      "Nothing of it is taken over before you have seen what it brings.",
    cloudReview: "See what it brings",
  };
}
