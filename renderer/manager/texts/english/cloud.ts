// English texts of the connections page.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";
import { cloudEditing } from "./cloud-editing.ts";
import { hosting } from "./hosting.ts";
import { localChanges } from "./local-changes.ts";
import { offlineBundle } from "./offline-bundle.ts";

export function cloud(formats: Formats) {
  const assets = counted(formats, "asset", "assets");
  const playlists = counted(formats, "playlist", "playlists");
  const files = counted(formats, "file", "files");
  const changes = counted(formats, "change", "changes");
  return {
    title: "Cloud",
    hosting: hosting(formats),
    offlineBundle: offlineBundle(formats),
    editing: cloudEditing(formats),
    localChanges: localChanges(formats),
    failed: "The player did not say how its clouds fare.",
    screenContinues: "The screen goes on with what is here.",
    connections: "Connected clouds",
    empty: "Content from a cloud, kept on this PC",
    emptySentence:
      "Connect a content service: its assets and playlists are fetched, checked and shown, and go on showing when the cloud is away.",

    connect: "Connect a cloud",
    address: "Address",
    addressHint: "https://content.example.org",
    token: "Token",
    tokenHint: "As the service gave it to you",
    labels: "Groups or labels of this screen",
    labelsHint: "Optional, divided by commas; empty: every screen",
    check: "Check and connect",
    checking: "Asking the cloud who it is …",
    checkedFor: (seconds: number) =>
      `Asking the cloud who it is … ${formats.length(seconds)}`,
    connectFailed: "Not connected.",
    connected: (name: string, version: string) =>
      `Connected to ${quoted(name)}, version ${isolate(version)}`,
    cancel: "Cancel",
    confirmConnectAgain: (name: string) =>
      `${quoted(name)} is connected to this service. Connect it again?`,
    connectAgainConsequence:
      "With the same token and groups, everything would be here twice.",
    connectAgain: "Connect again",

    phases: {
      idle: "Waiting for the next look",
      polling: "Looking what is new",
      downloading: "Fetching",
      "waiting-for-hours": "Waiting for the allowed hours",
      applying: "Applying",
      held: "Waiting for you",
      failing: "Not reached",
      off: "Switched off",
    },
    inSync: "In sync",
    notInSync: "Not in sync yet",
    itemsFailed: (here: number, total: number, failed: number) =>
      `${here} of ${total} items; ${failed} failed`,
    never: "Never",
    version: (version: string) => `Version ${isolate(version)}`,
    versionUnknown: "Version not known yet",
    paired: "Paired by PIN",
    pairedAs: (screen: string) => `Paired by PIN as ${quoted(screen)}`,
    fromOfflineBundle: "Plan from a stick",
    fromOfflineBundleAbout:
      "Loaded from a stick: no cloud is asked. A newer plan of the same player takes its place.",
    lastContact: (when: string) => `Answered ${when}`,
    neverAnswered: "Has not answered yet",
    nextPoll: (when: string) => `looks again ${when}`,
    from: (name: string) => `From ${quoted(name)}`,
    inTrash: (number: number) => `${assets(number)} of it in the bin here`,
    nothingForScreen:
      "The service has nothing for this screen. Check which groups or labels its playlists are for.",
    holds: (number: number, lists: number) =>
      `${assets(number)}, ${playlists(lists)}`,
    pollNow: "Look now",
    pollNowFrom: (name: string) => `Look now what ${quoted(name)} has`,
    pollFailed: "The cloud was not asked.",
    more: (name: string) => `More for ${quoted(name)}`,

    progress: (name: string) => `Fetching from ${quoted(name)}`,
    progressFiles: (done: number, all: number) =>
      `${formats.count(done)} of ${files(all)}`,
    progressBytes: (done: string, all: string) => `${done} of ${all}`,
    speed: (size: string) => `${size}/s`,
    left: (seconds: number) => `${formats.length(seconds)} left`,

    holdReasons: {
      ask: "These changes wait for your yes.",
      tonight: "These changes are applied at the hour you chose.",
      "more-than-half":
        "This would remove nearly all of what is here; everything else of it is applied. If the cloud was emptied by mistake, put it off; nothing is lost.",
      postponed:
        "These changes were put off. They wait until somebody applies them or the cloud says something else.",
    } as Readonly<Record<string, string>>,
    review: "What differs",
    reviewCounts: (add: number, change: number, remove: number) =>
      [
        add > 0 ? `${formats.count(add)} new` : "",
        change > 0 ? `${formats.count(change)} changed` : "",
        remove > 0 ? `${formats.count(remove)} removed` : "",
      ]
        .filter((part) => part !== "")
        .join(", ") || "Nothing differs",
    toFetch: (size: string) => `${size} to fetch`,
    staged: "everything is here already",
    actions: { add: "New", change: "Changed", remove: "Removed" },
    what: { asset: "Asset", playlist: "Playlist" },
    showMore: (number: number) => `Show ${formats.count(number)} more`,
    apply: "Apply now",
    applyRemoving: (number: number) =>
      `Apply and remove ${formats.count(number)}`,
    applyOf: (label: string, name: string) => `${label}: ${quoted(name)}`,
    applyQuestion: (name: string, number: number) =>
      `Let ${quoted(name)} remove ${formats.count(number)}?`,
    applyConsequence:
      "What is removed leaves the screen. The plan before is kept, and one click goes back to it.",
    applying: "Applying …",
    applied: (name: string) => `${quoted(name)} is applied`,
    approved: (name: string) =>
      `${quoted(name)} will be applied when its files are here and what it replaces has had its turn`,
    applyFailed: "The changes were not applied.",
    anotherPlan:
      "The cloud has said something else meanwhile: have a look at what it changes now.",
    noPlanBefore: "The plan before it is no longer kept.",
    putOff: "Put off",
    putOffDone: (name: string) => `What ${quoted(name)} changed is put off`,
    putOffFailed: "The changes were not put off.",
    keepAll: "Leave everything as it is",

    itemFailures: (number: number) =>
      number === 1
        ? "1 item did not come"
        : `${formats.count(number)} items did not come`,
    failureGivenUp: "Not tried again until the cloud changes it.",
    failureRetried: "Tried again by itself.",
    retry: "Try all again",

    history: "Go back",
    historyAbout:
      "The last applied plans are kept with their files. Going back takes one step, and what you came from waits here.",
    current: "On the screen now",
    appliedAt: (when: string) => `Applied ${when}`,
    goBack: "Go back to this",
    goBackTo: (when: string) => `Go back to this, applied ${when}`,
    wentBack: (name: string) => `${quoted(name)}: back to the plan before`,
    goBackFailed: "It did not go back.",

    problems: {
      unauthorized: {
        message: "The cloud does not take the token any more.",
        step: "Enter a new token.",
      },
      unavailable: {
        message: "The cloud cannot be reached.",
        step: "It is tried again by itself; check the address and the network.",
      },
      refused: {
        message: "The cloud refused to answer.",
        step: "Ask whoever runs it, with the words below.",
      },
      portal: {
        message: "A log-in page of the network answers instead of the cloud.",
        step: "Log in to the network in a browser on this PC.",
      },
      certificate: {
        message: "The certificate of the cloud cannot be trusted.",
        step: "Check the clock of this PC, or allow it in the account's settings.",
      },
      proxy: {
        message: "The proxy does not let this player through.",
        step: "Check the proxy in the account's settings.",
      },
      malformed: {
        message: "The cloud answers something that cannot be understood.",
        step: "Check that the address is that of a content service.",
      },
      "no-space": {
        message: "The disk is full.",
        step: "Make room; it goes on by itself then.",
      },
      "read-only": {
        message: "The disk of this PC cannot be written.",
        step: "Check the disk; what is here goes on showing.",
      },
      "no-token": {
        message: "The token of this account is missing on this PC.",
        step: "Enter the token again.",
      },
      interrupted: {
        message: "The last sync ended unexpectedly.",
        step: "The next one starts automatically in a while. You can also start it now.",
      },
      bug: {
        message: "Something went wrong inside Vitrine.",
        step: "It is tried again by itself; the log tells more.",
      },
    } as Readonly<Record<string, { message: string; step: string }>>,
    since: (when: string) => `since ${when}`,
    enterToken: "Enter a token",
    enterTokenFor: (name: string) => `Enter a token for ${quoted(name)}`,

    settings: "Settings of the account",
    settingsOf: (name: string) => `Settings of ${quoted(name)}`,
    fields: {
      name: "Name",
      base_url: "Address",
      token: "New token",
      version: "Version",
      labels: "Groups or labels of this screen",
      asset_groups: "Only these asset groups",
      screen_id: "Identifier of this screen there",
      mode: "When changes are applied",
      apply_at: "Hour of applying",
      poll_seconds: "Seconds between two looks",
      rate_limit: "Fastest, in kilobytes a second",
      download_from: "Fetch files from",
      download_until: "Fetch files until",
      proxy_url: "Proxy",
      finish_current_item: "Let items play to their end",
      skip_ssl_verify: "Take any certificate of this cloud",
      is_enabled: "Switched on",
    },
    effects: {
      version: "Found out by itself is right for nearly everyone.",
      labels: "Divided by commas. Empty takes All Screens.",
      asset_groups:
        "Divided by commas. Where there are any, only their assets come here.",
      mode: "Whatever you choose, nearly everything is never removed unasked.",
      poll_seconds: "Default: 60. One small request, when nothing changed.",
      rate_limit: "Empty: as fast as it goes.",
      download_from: "Empty: at any hour.",
      token: "Empty keeps the one it has.",
      finish_current_item:
        "What the cloud takes away while it is on the screen goes after its turn. Default: at once.",
      skip_ssl_verify: "Only for a cloud in a network you trust.",
      proxy_url: "As in http://proxy.example.org:3128. Empty goes straight.",
      screen_id: "Of a screen that is paired there; else empty.",
    },
    versions: {
      auto: "Found out by itself",
      "v4.1": "4.1",
      v4: "4.0",
      v3: "3",
    },
    modes: {
      now: "At once",
      tonight: "At an hour of the night",
      ask: "When I say so",
    },
    tokenSealed: "The token is sealed by the operating system.",
    tokenInFile:
      "This system has no means to seal a token: it lies in a file that only this user can read.",
    tokenNone: "There is no token for this account.",
    save: "Save",
    saved: (name: string) => `${quoted(name)} was changed`,
    saveFailed: "Nothing was changed.",
    switchOff: "Switch off",
    switchOn: "Switch on",

    remove: "Disconnect",
    removeQuestion: (name: string) => `Disconnect ${quoted(name)}?`,
    removeWhat: (number: number) =>
      `Its token goes, and with it the ${assets(number)} it brought. The cloud itself is not changed.`,
    removePlan: "Remove",
    removePlanQuestion: (name: string) => `Remove the plan of ${quoted(name)}?`,
    removePlanWhat: (number: number) =>
      `The ${assets(number)} it brought go with it.`,
    planRemoved: (name: string) => `The plan of ${quoted(name)} is removed`,
    removeKeep: "Keep what it brought here as local content",
    removed: (name: string) => `${quoted(name)} is disconnected`,
    removeFailed: (name: string) => `${quoted(name)} was not disconnected.`,
    keep: "Keep it",
    changes,
  };
}
