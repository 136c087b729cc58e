// What pages and apps are told of this screen, and what their showing needs to know of the player.

import os from "node:os";
import { groupNames, type Settings } from "../contract/v2/v2-settings.ts";
import type { PageContext, ScreenFacts } from "../contract/web.ts";
import { createAnnouncement } from "./announcement.ts";
import type { LinkRows } from "./sync/link-client/link-rows.ts";
import {
  asLinkedScreen,
  linkedScreenOf,
} from "./sync/link-client/linked-screen.ts";

export interface PageContextOptions<Rows extends LinkRows> {
  readonly settings: () => Settings;
  readonly onSettings: (listener: () => void) => unknown;
  readonly screenName: () => string;
  readonly version: string;
  /** Where the links keep who this screen is at their services. */
  readonly rows: Rows;
}

export function createPageContext<Rows extends LinkRows>(
  options: PageContextOptions<Rows>,
) {
  const { settings, screenName, version, rows } = options;
  const changed = createAnnouncement();
  /** Null until a page asked. */
  let lastReported: string | null = null;

  function screen(): ScreenFacts {
    const { location, coordinates, groups } = settings();
    const own = {
      hostname: os.hostname(),
      screenName: screenName(),
      location,
      coordinates: coordinatesOf(coordinates),
      hardware: hardwareOf(os.arch()),
      version,
      groups: groupNames(groups),
    };
    return asLinkedScreen(own, linkedScreenOf(rows));
  }

  function current(): PageContext {
    const facts = screen();
    lastReported = JSON.stringify(facts);
    return { screen: facts, isAnyCertificateTaken: !settings().verifySsl };
  }

  function notifyIfChanged(): void {
    if (lastReported === null || JSON.stringify(screen()) === lastReported)
      return;
    changed.emit();
  }

  options.onSettings(notifyIfChanged);
  return {
    current,
    /** Pages were told something else of this screen than holds now. */
    onChanged: changed.on,
    /** For the links: what they note is looked at. */
    rows: {
      ...rows,
      saveMemory: (connectionId: string, value: object): void => {
        rows.saveMemory(connectionId, value);
        notifyIfChanged();
      },
      forget: (connectionId: string): void => {
        rows.forget(connectionId);
        notifyIfChanged();
      },
    },
  };
}

/** As pages know such machines. */
function hardwareOf(architecture: string): string {
  return /^(x64|ia32)$/.test(architecture) ? "x86" : architecture;
}

function coordinatesOf(text: string): readonly [number, number] | null {
  const [latitude, longitude] = text.split(",").map(Number);
  return text === "" || latitude === undefined || longitude === undefined
    ? null
    : [latitude, longitude];
}
