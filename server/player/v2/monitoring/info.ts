// info: state of this player and its machine, under the peer's field names where they exist (V2-73).

import type { RequestHandler } from "express";
import os from "node:os";
import {
  interfaceVersion,
  type InfoV2,
  type IntegrationsV2,
} from "../../../contract/v2/v2-monitoring.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import {
  hostInAddress,
  networkAddresses,
} from "../../../platform/http/machine-addresses.ts";
import { wallClockOf } from "../../../core/wall-clock.ts";
import type { HttpsState } from "../../https/https-interface.ts";
import type { Director } from "../../playback/director.ts";
import type { Machine } from "../../machine.ts";
import { zoneOf } from "../../time-zone.ts";
import type { SettingsStore } from "../../settings.ts";
import type { Rebuilt } from "../../store/damaged-databases.ts";

export interface InfoOptions {
  readonly director: Director;
  readonly machine: Machine;
  readonly settings: SettingsStore;
  readonly version: string;
  readonly playerName: () => string;
  readonly now: () => number;
  readonly safeMode?: string | null | undefined;
  readonly softwareRendering?: string | null | undefined;
  readonly rebuilt: Rebuilt | null;
  readonly https: () => HttpsState | null;
}

export function sendInfo(options: InfoOptions): RequestHandler {
  return async (_request, response) => {
    response.setHeader("Cache-Control", "no-store").json(await infoOf(options));
  };
}

/** The peer may belong to a fleet, and its clients check for that; this player never does (V2-582). */
export const sendIntegrations: RequestHandler = (_request, response) => {
  const integrations: IntegrationsV2 = { is_balena: false };
  response.json(integrations);
};

async function infoOf(options: InfoOptions): Promise<InfoV2> {
  const { director, machine, settings, version, playerName, now } = options;
  const [disk, memory] = await Promise.all([machine.disk(), machine.memory()]);
  const addresses = networkAddresses();
  const moment = now();
  const zone = zoneOf(settings.all());
  const uptimeHours = os.uptime() / 3600;
  return {
    viewlog: director.status()?.showing.name ?? "",
    loadavg: Math.round((os.loadavg()[2] ?? 0) * 100) / 100,
    free_space: shortSize(disk.freeBytes),
    version,
    device_model: machine.model(),
    uptime: {
      days: Math.floor(uptimeHours / 24),
      hours: Math.round((uptimeHours % 24) * 100) / 100,
    },
    memory: {
      total: mebibytes(memory.total),
      used: mebibytes(memory.used),
      free: mebibytes(memory.free),
      shared: mebibytes(memory.shared),
      buff: mebibytes(memory.buff),
      available: mebibytes(memory.available),
    },
    ip_addresses: addresses.map(
      ({ address }) => `http://${hostInAddress(address)}`,
    ),
    mac_address: addresses[0]?.mac ?? "",
    up_to_date: true,
    anthias_version: interfaceVersion,
    player_name: playerName(),
    player_uptime_seconds: Math.round(process.uptime()),
    player_memory_bytes: process.memoryUsage.rss(),
    free_space_bytes: disk.freeBytes,
    total_space_bytes: disk.totalBytes,
    clock: {
      time: momentToText(moment),
      timezone: zone,
      utc_offset_minutes: wallClockOf(zone).spanAt(moment).offsetMs / 60_000,
    },
    safe_mode: options.safeMode ?? null,
    software_rendering: options.softwareRendering ?? null,
    store_rebuilt: options.rebuilt && rebuiltToV2(options.rebuilt),
    https: httpsToV2(options.https()),
  };
}

function rebuiltToV2({ at, ...rebuilt }: Rebuilt): InfoV2["store_rebuilt"] {
  const { from, reason, aside, assets, playlists } = rebuilt;
  return {
    ...{ time: momentToText(at), from, reason, damaged_path: aside },
    ...{ assets, playlists },
  };
}

function httpsToV2(https: HttpsState | null): InfoV2["https"] {
  if (https === null) return null;
  const { certificate, problem } = https;
  return {
    fingerprint: certificate?.fingerprint ?? null,
    expires: certificate && momentToText(certificate.validUntil),
    is_generated: certificate?.isGenerated ?? null,
    problem,
  };
}

function mebibytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}

/** In whole units, in the peer's notation: `78G`. */
function shortSize(bytes: number): string {
  const units = ["B", "K", "M", "G", "T", "P"];
  let left = bytes;
  let unit = 0;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit += 1;
  }
  return `${Math.floor(left)}${units[unit]}`;
}
