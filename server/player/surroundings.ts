// What pages and apps are told of this screen, and what their showing needs to know of the player.

import os from "node:os";
import { groupNames, type Settings } from "../contract/v2-settings.ts";
import type { PageSurroundings } from "../contract/web.ts";

export interface SurroundingsOptions {
  readonly settings: Settings;
  readonly screenName: string;
  readonly version: string;
}

export function surroundingsOf(options: SurroundingsOptions): PageSurroundings {
  const { settings, screenName, version } = options;
  return {
    screen: {
      hostname: os.hostname(),
      screenName,
      location: settings.location,
      coordinates: coordinatesOf(settings.coordinates),
      hardware: hardwareOf(os.arch()),
      version,
      groups: groupNames(settings.groups),
    },
    isAnyCertificateTaken: !settings.verifySsl,
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
