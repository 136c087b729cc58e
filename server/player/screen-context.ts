// Screen context for pages and apps, and the player settings needed to show them.

import os from "node:os";
import { groupNames, type Settings } from "../contract/v2/v2-settings.ts";
import type { PageContext, ScreenFacts } from "../contract/page-context.ts";
import { createAnnouncement } from "./event-emitter.ts";
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
  /** Where the links store this screen's identity at their services. */
  readonly rows: Rows;
}

export function createPageContext<Rows extends LinkRows>(
  options: PageContextOptions<Rows>,
) {
  const { settings, screenName, version, rows } = options;
  const changed = createAnnouncement();
  /** Null until a page has requested it. */
  let lastReported: string | null = null;

  function screen(): ScreenFacts {
    const { location, coordinates, groups } = settings();
    const context = {
      hostname: os.hostname(),
      screenName: screenName(),
      location,
      coordinates: coordinatesOf(coordinates),
      hardware: hardwareOf(os.arch()),
      version,
      groups: groupNames(groups),
    };
    return asLinkedScreen(context, linkedScreenOf(rows));
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
    /** The context that pages last received has changed. */
    onChanged: changed.on,
    /** For the links: each of their writes is checked for changes. */
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

/** In the notation that pages use. */
function hardwareOf(architecture: string): string {
  return /^(x64|ia32)$/.test(architecture) ? "x86" : architecture;
}

function coordinatesOf(text: string): readonly [number, number] | null {
  const [latitude, longitude] = text.split(",").map(Number);
  return text === "" || latitude === undefined || longitude === undefined
    ? null
    : [latitude, longitude];
}
