// English texts of the takeover.

import type { Formats } from "../formats.ts";
import { isolate } from "../isolate.ts";

export function takeover(formats: Formats) {
  return {
    title: "Take the screen over",
    open: "Takeover",
    end: "End the takeover",
    isOn: "Takeover is on",
    ended: "The programme goes on where it was",
    notEnded: "The takeover was not ended.",
    replaces:
      "Something has the screen already. What you send now replaces it.",
    description:
      "It covers everything on the screen at once, and ends by itself or when you end it.",
    ready: "Ready messages",
    custom: "A text of your own",
    customSays: "Written now, shown in large letters",
    customText: "Text on the screen",
    anAsset: "An asset of the library",
    blank: "An empty dark screen",
    howLong: "For how long",
    untilEnded: "Until somebody ends it",
    /** The same within a sentence. */
    covers: (since: number) =>
      `A takeover has covered the screen since ${formats.clock(since)}. The schedule resumes when it ends.`,
    whichEnds: "until somebody ends it",
    forSeconds: (seconds: number) => `For ${formats.length(seconds)}`,
    customLength: "Custom…",
    minutes: "Minutes",
    isDrill: "This is a drill",
    drill: "Drill:",
    drillHelp: "It says so on the screen and ends after a minute.",
    drillText: (text: string) => `DRILL\n${text}`,
    chooseFirst: "Choose a message first",
    holdToEnd: "Hold for a second to end",
    holdToSend: "Hold for a second to send",
    holdToDrill: "Hold for a second to begin the drill",
    scheduleContinues: "The programme goes on. Choose another message.",
    edit: "Change the ready messages",
    editDescription:
      "They are kept on the player and work without any network.",
    name: "Name",
    shows: "Shows",
    contents: {
      text: "Text",
      asset_id: "Asset of the library",
      url: "Web page",
    },
    add: "Add a message",
    newName: "New message",
    newText: "Please wait here.",
    removeNamed: (name: string) => `Remove ${isolate(name)}`,
    usual: [
      {
        name: "Leave the building",
        text: "Please leave the building now.",
        seconds: null,
      },
      {
        name: "Back soon",
        text: "We will be back in a few minutes.",
        seconds: 900,
      },
      { name: "Closed", text: "Closed for today.", seconds: 3600 },
    ],
  };
}
