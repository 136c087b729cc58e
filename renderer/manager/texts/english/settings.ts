// English texts of the settings page.

import type { Formats } from "../../../locales/formats.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";
import { settingWords } from "./setting-words.ts";
import { site } from "./site.ts";

export function settings(formats: Formats) {
  const assets = counted(formats, "asset", "assets");
  const playlists = counted(formats, "playlist", "playlists");
  const files = counted(formats, "file", "files");
  const settingsCounted = counted(formats, "setting", "settings");
  return {
    title: "Settings",
    search: "Search the settings",
    sectionsLabel: "Sections",
    found: (number: number) =>
      number === 0 ? "Nothing found" : `${formats.count(number)} found`,
    nothingFound: (searchText: string) =>
      `Nothing here is about ${quoted(searchText)}`,
    nothingFoundStep: "Try another word: what it does, or where you notice it.",
    clearSearch: "Show all settings",
    failed: "The player did not answer with its settings.",
    failedCalm: "The screen goes on showing with the settings it has.",
    copyCommand: "Copy the command",
    defaultIs: (value: string) => `Default: ${value}`,
    backToDefault: "Back to default",
    backToDefaultOf: (name: string) => `Back to default: ${quoted(name)}`,
    changed: (name: string, value: string) => `${name}: ${value}`,
    notChanged: (name: string) => `${quoted(name)} was not changed.`,
    refused: "Not taken:",
    stays: "The screen keeps the value it had.",
    emptyValue: "empty",
    on: "On",
    off: "Off",
    wireName: "In the interface:",
    pressKeys: "Click here and press the keys",
    clear: "Clear",
    noAsset: "No asset",
    assetGone: "An asset that is gone",
    followSystem: "Follow the system",
    sections: {
      screen: "This screen",
      display: "Display",
      audio: "Sound",
      playback: "Playing",
      takeover: "Takeover",
      kiosk: "Kiosk and start",
      access: "API and access",
      backup: "Backup and restore",
      manager: "This desk",
      more: "More",
      about: "About",
    },
    fields: settingWords,

    tokens: {
      title: "Access tokens",
      about:
        "Programs and other desks show one of these to use this player. The secret is shown once, when it is made; the player keeps only a fingerprint of it.",
      empty: "No tokens yet. Programs on this PC come in without one.",
      name: "What it is for",
      nameHint: "For example: front desk",
      make: "Make a token",
      madeTitle: (name: string) => `Token ${quoted(name)}`,
      madeOnce:
        "Copy it now: it is shown this once and cannot be read again. If it gets lost, make another.",
      copy: "Copy the token",
      keptIt: "I have kept it",
      refused: "The token was not made.",
      created: (day: string) => `Made ${day}`,
      neverUsed: "Never used",
      lastUsed: (when: string) => `Last used ${when}`,
      revoke: "Revoke",
      revokeNamed: (name: string) => `Revoke ${quoted(name)}`,
      revokeQuestion: (name: string) => `Revoke ${quoted(name)}?`,
      revokeWhat:
        "Whatever uses it is turned away at once. This cannot be undone: a new token has to be made and entered there.",
      keep: "Keep it",
      revoked: (name: string) => `${quoted(name)} is not valid any more`,
      revokeFailed: (name: string) => `${quoted(name)} was not revoked.`,
      listFailed: "The player did not answer with its tokens.",
      list: "Access tokens",
    },

    site: {
      title: "Site check",
      about:
        "Looks at everything that would stop, cover, slow or blank this screen. It disturbs nothing and takes a few seconds.",
      check: "Check this PC",
      again: "Check again",
      checking: "Looking at sleep, display, graphics, disk, clock …",
      failed: "The check did not come to its end.",
      sum: (faults: number, time: string) =>
        faults === 0
          ? `Checked at ${time}: nothing is at fault.`
          : `Checked at ${time}: ${formats.count(faults)} at fault.`,
      judged: (what: string, verdict: string) => `${what}: ${verdict}`,
      verdicts: {
        good: "good",
        advice: "could be better",
        fault: "at fault",
        unknown: "not known",
      },
      names: {
        sleep: "Sleep and blanking",
        updates: "Updates of the system",
        displays: "Displays",
        graphics: "Graphics",
        codecs: "Film formats",
        disk: "Disk",
        "data folder": "Data folder",
        "shared memory": "Shared memory",
        clock: "Clock",
        autostart: "Start with this PC",
        sandbox: "Sandbox",
        "exit PIN": "PIN to leave",
        "kill and recover": "Recovery after a crash",
      } as Readonly<Record<string, string>>,
      siteTexts: site(formats),
    },

    unattended: {
      question: "Leave this screen unattended?",
      consequence: (key: string) =>
        `Once this desk is closed, the picture stays on top and the system's keys do nothing. ${key} leads back.`,
      withPin: "It asks for the PIN.",
      withoutPin: "No PIN is set: whoever knows the key gets out.",
      no: "Stay attended",
      yes: "Leave it unattended",
    },

    pin: {
      title: "PIN to leave the screen",
      about:
        "On an unattended screen a PIN opens the way out. None is set: whoever knows the keys gets out.",
      aboutSet: "On an unattended screen this PIN opens the way out.",
      first: "PIN, 4 to 12 digits",
      current: "Current PIN",
      next: "New PIN",
      set: "Set the PIN",
      change: "Change",
      remove: "Remove",
      isSet: "The PIN is set",
      isGone: "There is no PIN any more",
      shape: "Four to twelve digits.",
      wrong: (left: number) =>
        `This is not the current PIN. ${formats.count(left)} more ${left === 1 ? "try" : "tries"}.`,
      locked: (length: string) =>
        `Too many wrong tries. Try again in ${length}.`,
      failed: "The PIN was not changed.",
    },

    docs: {
      title: "Documentation of the interface",
      about: (address: string) =>
        `Every operation of this player, told by the player itself and read without a network. Examples are sent to ${address}.`,
      search: "Search the operations",
      failed: "The player did not answer with its description.",
      none: "No operation is about that.",
      parameters: "Parameters",
      body: "Body",
      answers: "Answers",
      example: "As a command",
      copy: "Copy the command",
      try: "Ask it now",
      trying: "Asking …",
      answered: "The player answered",
      refused: "The player refused",
      value: (name: string) => `Value of ${name}`,
      required: "needed",
      optional: "optional",
      inPlace: {
        path: "in the path",
        query: "in the query",
        header: "in a header",
      } as Readonly<Record<string, string>>,
      openPage: "The same as a page for any browser:",
      operations: (number: number) =>
        `${formats.count(number)} ${number === 1 ? "operation" : "operations"}`,
    },

    backup: {
      title: "Backups",
      about:
        "A backup holds settings, assets with their files, and playlists; never tokens. It lies on this PC until you save it elsewhere.",
      make: "Make a backup now",
      making: "Packing settings, files and playlists …",
      made: "The backup is ready",
      makeFailed: "No backup was made.",
      list: "Backups on this PC",
      empty: "No backups yet",
      emptyStep:
        "Make one before a big change: it is the way back, also onto a new PC.",
      listFailed: "The player did not answer with its backups.",
      facts: (when: string, size: string) => `${when} · ${size}`,
      save: "Save a copy",
      saveNamed: (name: string) => `Save a copy of ${quoted(name)}`,
      saved: "The copy is saved",
      saveFailed: "The copy was not saved.",
      restore: "Restore",
      restoreNamed: (name: string) => `Restore ${quoted(name)}`,
      remove: "Delete",
      removeNamed: (name: string) => `Delete ${quoted(name)}`,
      removeQuestion: (name: string) => `Delete ${quoted(name)}?`,
      removeWhat:
        "The archive goes for good. What plays on the screen stays as it is.",
      keep: "Keep it",
      removed: (name: string) => `${quoted(name)} was deleted`,
      removeFailed: (name: string) => `${quoted(name)} was not deleted.`,
    },

    restore: {
      title: "Restore",
      about:
        "Choose a backup of this player or of Anthias. You see what it holds before anything changes.",
      choose: "Choose an archive",
      chosen: (name: string) => `Restore from ${quoted(name)}`,
      reading: "Reading the whole archive and checking every file …",
      refused: "This archive cannot be restored.",
      nothingChanged:
        "Nothing was changed. Choose another archive, or make the backup again.",
      ofPlayer: (player: string, when: string, version: string) =>
        `Backup of ${quoted(player)}, made ${when} with version ${version}`,
      ofAnthias: "Backup of Anthias",
      holds: "It holds",
      now: "Here now",
      then: "After restoring",
      assets: "Assets",
      playlists: "Playlists",
      files: "Files",
      assetsCounted: assets,
      playlistsCounted: playlists,
      connections: "Cloud connections",
      changedSince: (names: readonly string[]) =>
        `Added or changed since the restore: ${names.map(quoted).join(", ")}. Undoing the restore would remove that.`,
      connectionsGo: (names: readonly string[]) =>
        `No longer connected then: ${names.map(quoted).join(", ")}.`,
      connectionsNeedToken: (names: readonly string[]) =>
        `To be given a token again: ${names.map(quoted).join(", ")}.`,
      filesCounted: (number: number, size: string) =>
        `${files(number)}, ${size}`,
      problems: (number: number) =>
        number === 1
          ? "1 asset cannot be shown"
          : `${formats.count(number)} assets cannot be shown`,
      settingsDiffer: (number: number) =>
        number === 0
          ? "All settings stay as they are"
          : `${settingsCounted(number)} would change`,
      assetList: "Assets in the archive",
      more: (number: number) => `and ${formats.count(number)} more`,
      replaces: (now: number) =>
        now === 0
          ? "There is nothing here that it would replace."
          : `It replaces the ${assets(now)} that are here. A backup of them is made first, so you can go back.`,
      question: (player: string) => `Replace what ${quoted(player)} holds?`,
      confirm: "Restore it",
      cancel: "Leave everything as it is",
      restoring: "Making a way back, then restoring …",
      done: "Restored: the screen shows what the backup holds",
      failed: "The archive was not restored.",
      disabled: "disabled",
    },

    manager: {
      language: "Language",
      languageEffect:
        "The language of this window. The screen is not concerned.",
      languages: { en: "English", de: "Deutsch" } as Readonly<
        Record<string, string>
      >,
      appearance: "Appearance",
      appearanceEffect:
        "Light or dark, for this window only. Following the system it changes with it.",
      appearances: {
        auto: "Follow the system",
        light: "Light",
        dark: "Dark",
      },
    },

    about: {
      version: "Version",
      runsOn: "Runs on",
      system: "System",
      packaged: "Installed package",
      fromSource: "Run from its sources",
      folder: "Data folder",
      openFolder: "Open the folder",
      openLog: "Open the logs",
      openFailed: "The folder was not opened.",
      licence: "Licence",
      licenceWords:
        "Vitrine is free software under the MIT licence: use, change and pass it on, with its licence text.",
      others: "Work of others in it",
      othersCounted: (number: number) =>
        `${formats.count(number)} packages, each under its own licence`,
      searchLicences: "Search packages",
      noText: "The package comes without a licence text of its own.",
      failed: "This program did not say what it is.",
      free: (free: string, total: string) => `${free} free of ${total}`,
      disk: "Disk",
      uptime: "Running for",
    },
  };
}
