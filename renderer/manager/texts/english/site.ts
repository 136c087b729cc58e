// English results and advice of the system check.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import {
  siteCommands as type,
  sizeOfDisplay,
  type SiteTexts,
} from "../site.ts";
import { counted } from "../counts-and-quotes.ts";

export function site(formats: Formats): SiteTexts {
  const displaysCounted = counted(formats, "display", "displays");
  const list = new Intl.ListFormat("en");
  const inTerminal = "Type in a terminal:";
  const good = (found: string) => ({ found, advice: null });
  const displaysOf: SiteTexts["displays"] = ({ displays }) =>
    good(
      `${displaysCounted(displays.length)}: ${list.format(
        displays.map(
          ({ width, height, rate }) =>
            `${sizeOfDisplay(width, height)}${rate > 0 ? ` at ${formats.count(rate)} Hz` : ""}`,
        ),
      )}.`,
    );
  const decodingOf: SiteTexts["decodes"] = ({ plays, lacks }) =>
    good(
      `Plays ${list.format(plays)}${lacks.length > 0 ? `; not ${list.format(lacks)}` : ""}.`,
    );
  const diskOf: SiteTexts["disk"] = ({ freeBytes, bytesPerSecond }) =>
    good(
      `${formats.size(freeBytes)} free, ${formats.size(bytesPerSecond)} a second written through.`,
    );
  const clockOf = (now: number, zone: string): string =>
    `It is ${formats.moment(now)} in ${isolate(zone)}`;
  return {
    late: ({ seconds }) => ({
      found: `No answer within ${formats.length(seconds)}.`,
      advice: "Look at this one by hand.",
    }),
    failed: ({ reason }) => ({
      found: `This could not be looked at: ${isolate(reason)}`,
      advice: "Look at this one by hand.",
    }),

    awake: () => good("Nothing sleeps or blanks."),
    "may-sleep": ({ hasDpms, saverSeconds, mayBeSuspended }) => {
      const causes = [
        ...(hasDpms ? ["the display may be switched off"] : []),
        ...(saverSeconds === null
          ? []
          : [`the screen saver comes after ${formats.length(saverSeconds)}`]),
        ...(mayBeSuspended ? ["the PC may be suspended"] : []),
      ];
      return {
        found: `The player keeps it awake, but ${list.format(causes)}.`,
        advice: inTerminal,
        command: type.stayAwake,
      };
    },
    "sleep-untold": () => ({
      found: "This system does not tell whether it sleeps.",
      advice: "See in its settings that nothing sleeps or blanks.",
    }),
    "plan-sleeps": () => ({
      found: "The power plan sleeps or blanks after a while.",
      advice: inTerminal,
      command: type.stayAwakeOnWindows,
    }),
    "plan-untold": () => ({
      found: "The power plan cannot be read.",
      advice: "See in the power settings that nothing sleeps.",
    }),

    "no-apt": () => ({
      found: "This system does not update by apt.",
      advice: "See that updates restart nothing while people look.",
    }),
    "never-restarts": () =>
      good("Updates never restart this PC by themselves."),
    "restarts-at": ({ at }) =>
      good(`Updates restart this PC at ${isolate(at)}.`),
    "restarts-at-once": () => ({
      found: "Updates restart this PC at once.",
      advice: "Put into a file of /etc/apt/apt.conf.d:",
      command: type.rebootTime,
    }),
    "active-hours": () => good("Updates keep to the hours set for this PC."),
    "no-active-hours": () => ({
      found: "Windows restarts for updates when it thinks fit.",
      advice:
        "Run windows.ps1 of the player's resources folder, or set active hours by policy.",
    }),

    "no-display": () => ({
      found: "There is no display.",
      advice: "Switch it on, and see that the cable sits at both ends.",
    }),
    displays: displaysOf,
    "other-display": ({ displays, configured }) => ({
      found: displaysOf({ displays }).found,
      advice: `The player is told to use display ${formats.count(configured + 1)}; that one is not there.`,
    }),
    "drawn-by-card": ({ decodes }) =>
      good(
        decodes
          ? "The graphics card draws, and decodes films."
          : "The graphics card draws; films are decoded by the processor.",
      ),
    "drawn-by-processor": () => ({
      found: "Everything is drawn by the processor.",
      advice:
        "Fine for pictures, and for films up to 1080p on a fast processor; else install the card's driver.",
    }),
    decodes: decodingOf,
    "decodes-too-little": ({ needed, ...decoding }) => ({
      found: decodingOf(decoding).found,
      advice: `Most films need ${list.format(needed)}: this build does not have it.`,
    }),

    disk: diskOf,
    "disk-full": (measure) => ({
      found: diskOf(measure).found,
      advice: "Make room: a few films fill this.",
    }),
    "folder-own": () => good("Nobody else may read the data folder."),
    "folder-open": ({ dataDir, others, system }) =>
      system === "windows"
        ? {
            found: `Others may read ${isolate(dataDir)} and the secrets in it: ${list.format(others)}.`,
            advice: inTerminal,
            command: type.restrictFolder(dataDir),
          }
        : {
            found: `Other users of this PC may read ${isolate(dataDir)} and the secrets in it.`,
            advice: "Give the player a folder of its own.",
          },
    "shared-memory": () => good("There is enough shared memory."),
    "shared-memory-small": ({ bytes }) => ({
      found: `Shared memory is small: ${formats.size(bytes)}. Files are used in its place.`,
      advice:
        "In a container, give it more (docker run --shm-size=512m); films then need less of the processor.",
    }),
    "disk-slow": (measure) => ({
      found: diskOf(measure).found,
      advice: "This disk is slow: fetching may take long, playing does not.",
    }),
    "clock-behind": ({ now, zone }) => ({
      found: `${clockOf(now, zone)}.`,
      advice: "The clock is behind: dated content waits until it is right.",
    }),
    "clock-kept": ({ now, zone }) =>
      good(`${clockOf(now, zone)}, set by the network.`),
    "clock-not-kept": ({ now, zone, system }) => ({
      found: `${clockOf(now, zone)}, not set by the network.`,
      advice: inTerminal,
      command: system === "windows" ? type.setClockOnWindows : type.setClock,
    }),
    "clock-untold": ({ now, zone }) => ({
      found: `${clockOf(now, zone)}; nobody tells whether it is kept right.`,
      advice: "See that the clock is set by the network.",
    }),

    "started-and-watched": () =>
      good("The system starts the player with its user, and watches it."),
    "started-only": ({ system }) => ({
      found: "The desktop starts the player, and nobody watches it.",
      ...(system === "windows"
        ? { advice: "Run windows.ps1 of the player's resources folder." }
        : { advice: inTerminal, command: type.watch }),
    }),
    "not-started": () => ({
      found: "Nothing starts the player when this PC starts.",
      advice: "Switch on “Start with this PC” on this page.",
    }),
    "no-sandbox": () => ({
      found: "The player runs without Chromium's sandbox.",
      advice: "Run it as a user of its own, without --no-sandbox.",
    }),
    sandbox: ({ name, version }) =>
      good(`${isolate(`${name} ${version}`)} runs in Chromium's sandbox.`),
    pin: () => good("A PIN guards the way out."),
    "no-pin": () => ({
      found: "Whoever knows the keys gets out of an unattended screen.",
      advice: "Set a PIN on this page.",
    }),

    "not-killed": ({ call }) => ({
      found: "Not tried, as it interrupts the show.",
      advice: "Try it before people look:",
      command: type.kill(call),
    }),
    "no-player": ({ dataDir }) => ({
      found: `No player runs on ${isolate(dataDir)}.`,
      advice: "Start it, then look again.",
    }),
    "not-back": ({ seconds }) => ({
      found: `Ended by force, it did not come back within ${formats.length(seconds)}.`,
      advice: "Let the system or the supervisor start it: its guide says how.",
    }),
    back: ({ seconds }) =>
      good(`Ended by force, it was back after ${formats.length(seconds)}.`),
    "back-late": ({ seconds }) => ({
      found: `Ended by force, it was back after ${formats.length(seconds)}.`,
      advice: "Ten seconds are the goal; a faster disk helps.",
    }),
  };
}
