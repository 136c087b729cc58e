// English texts for the content service on this PC.

import type { Formats } from "../../../locales/formats.ts";
import { inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function hosting(formats: Formats) {
  return {
    title: "Content service on this PC",
    about:
      "A cloud of your own: other players and programs fetch their content from this PC. No account, nothing leaves your network.",
    switch: "Run the content service",
    states: {
      off: "Off",
      starting: "Starting …",
      on: "Running",
      failed: "Not running",
    },
    onSince: (when: string) => `Running since ${when}`,
    restarted: (times: number) =>
      times === 1
        ? "started again once after a fault"
        : `started again ${formats.count(times)} times after faults`,
    failedStep: "Change the port or try again. The screen is not affected.",
    tryAgain: "Try again",
    address: "Its address",
    copyAddress: "Copy the address",
    folder: (path: string) => `Its files lie in ${path}`,
    changeFailed: "The content service was not changed.",
    options: "Port and reach",
    port: "Port",
    portEffect: "Default: 8090. Another program may have it already.",
    reach: "Who can reach it",
    reaches: { "this-pc": "This PC only", network: "The network" },
    reachEffect:
      "For other PCs it needs a certificate, so that keys never cross the network for all to read.",
    certificate: "Certificate (PEM)",
    certificateKey: "Its key (PEM)",
    chooseFile: "Choose a file",
    apply: "Apply",

    keys: "Keys",
    keysAbout:
      "Whoever shows one of these may use the service. A key is shown once, when it is made.",
    keysEmpty: "No keys yet. Make one for each player or program.",
    keyName: "Who it is for",
    keyHint: "For example: lobby screen",
    makeKey: "Make a key",
    makeKeyFailed: "The key was not made.",
    madeTitle: (name: string) => `Key for ${quoted(name)}`,
    keysFailed: "The content service did not list its keys.",
    revokeKey: "Revoke",
    revokeNamed: (name: string) => `Revoke the key for ${quoted(name)}`,
    revokeQuestion: (name: string) => `Revoke the key for ${quoted(name)}?`,
    revokeWhat:
      "Whatever uses it is turned away within a second, and keeps showing what it has. This cannot be undone.",
    revoked: (name: string) =>
      `The key for ${quoted(name)} is not valid any more`,
    revokeFailed: "The key was not revoked.",
    keep: "Keep it",
    made: (day: string) => `Made ${day}`,
    neverUsed: "Never used",
    lastUsed: (when: string) => `Last used ${when}`,

    connectThis: "Show its content on this screen",
    connectThisDone: "This player now follows the content service on this PC",
    connectThisFailed: "This player was not connected.",
    thisPlayer: "this player",

    screens: "Screens",
    screensAbout:
      "Players that fetch from here. A waiting player shows a PIN: enter it to claim that screen.",
    screensEmpty: "No screens yet",
    screensFailed: "The content service did not list its screens.",
    pin: "PIN on the screen",
    pinHint: "From the waiting screen",
    screenName: "Its name",
    defaultName: (number: number) => `Screen ${formats.count(number)}`,
    claim: "Claim the screen",
    claimed: (name: string) => `${quoted(name)} belongs to this service now`,
    claimFailed: "No screen was claimed.",
    claimStep: "Check the PIN on the screen; it changes every 15 minutes.",
    inSync: "In sync",
    notInSync: "Not in sync",
    syncing: "Syncing",
    offline: "Offline",
    lastPing: (when: string) => `last heard ${when}`,
    neverContacted: "never heard of",
    disabled: "disabled",
  };
}
