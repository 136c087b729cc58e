// Asset fields beyond the specification: conversion between the wire and column form and the asset.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import {
  extraFields,
  missingTimeOf,
  plainExtras,
  type ExtraName,
  type Extras,
} from "../../contract/v2/v2-extras.ts";
import { jsonOf } from "../../contract/v2/v2-values.ts";
import {
  plainPresentation,
  plainWebOptions,
  type Asset,
} from "../../core/asset.ts";
import type { PlayHours } from "../../core/play-hours.ts";
import { fieldFailure } from "../../core/failure.ts";

/** The parts of an asset that are built from them. */
export type ExtraParts = Pick<
  Asset,
  "isPlaylistOnly" | "hours" | "presentation" | "web" | "metadata" | "folder"
>;

/** Most assets have no extras: they share this object. */
const plainParts: ExtraParts = {
  isPlaylistOnly: false,
  hours: null,
  presentation: plainPresentation,
  web: plainWebOptions,
  metadata: {},
  folder: "",
};

/** The named fields replace the former ones. Throws `invalid` when only one of the two times is left (V2-103). */
export function withExtras(
  before: Extras,
  change: Partial<Extras> = {},
): Extras {
  const after = { ...before, ...change };
  const missing = missingTimeOf(after);
  if (missing !== null)
    throw fieldFailure(missing, playerSentences["play-times-pair"]);
  if (after.playsFrom !== null && after.playsFrom === after.playsUntil)
    throw fieldFailure("play_time_to", playerSentences["play-times-differ"]);
  return after;
}

/** The fields that differ from the defaults, as JSON; null if there are none. */
export function extrasToText(extras: Extras): string | null {
  const ownEntries = Object.entries(extras).filter(
    ([name, value]) => !isPlain(name as ExtraName, value),
  );
  return ownEntries.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(ownEntries));
}

function isPlain(name: ExtraName, value: unknown): boolean {
  const usual = extraFields[name].byDefault;
  return usual === value || JSON.stringify(usual) === JSON.stringify(value);
}

/** A value written by an older or newer version that this one rejects counts as missing. */
export function partsFromText(text: string | null): ExtraParts {
  if (text === null) return plainParts;
  const { extras } = readStored(text);
  const { playsFrom = null, playsUntil = null } = extras;
  return isWindow(playsFrom, playsUntil)
    ? partsOf({ ...plainExtras, ...extras })
    : partsOf({ ...plainExtras, ...extras, playsFrom: null, playsUntil: null });
}

/** Whether this player could have written it; checked for archives from elsewhere (V2-53). */
export function isValidText(text: string): boolean {
  const { extras, isComplete } = readStored(text);
  const { playsFrom = null, playsUntil = null } = extras;
  return isComplete && isWindow(playsFrom, playsUntil);
}

function isWindow(from: string | null, until: string | null): boolean {
  return from === null ? until === null : until !== null && from !== until;
}

interface Stored {
  readonly extras: Partial<Extras>;
  /** It contained nothing else. */
  readonly isComplete: boolean;
}

function readStored(text: string): Stored {
  const stored = jsonOf(text);
  if (typeof stored !== "object" || stored === null)
    return { extras: {}, isComplete: false };
  const extras: Record<string, unknown> = {};
  for (const [name, { read }] of Object.entries(extraFields)) {
    if (!Object.hasOwn(stored, name)) continue;
    const reading = read((stored as Record<string, unknown>)[name]);
    if ("value" in reading) extras[name] = reading.value;
  }
  const { length } = Object.keys(stored);
  return { extras, isComplete: Object.keys(extras).length === length };
}

function partsOf(extras: Extras): ExtraParts {
  return {
    isPlaylistOnly: extras.isPlaylistOnly,
    hours: hoursOf(extras),
    presentation: {
      fit: extras.fit,
      volume: extras.volume,
      isMuted: extras.isMuted,
      pages: extras.pages,
      rotation: extras.rotation,
    },
    web: {
      headers: extras.headers,
      userAgent: extras.userAgent,
      zoomPercent: extras.zoomPercent,
      script: extras.script,
      refreshSeconds: extras.refreshSeconds,
      isMetadataSent: extras.isMetadataSent,
      isRenderedHere: extras.isRenderedHere,
      screenshotCacheSeconds: extras.screenshotCacheSeconds,
      isCertificateSkipped: extras.isCertificateSkipped,
    },
    metadata: extras.metadata,
    folder: extras.folder,
  };
}

function hoursOf({ days, playsFrom, playsUntil }: Extras): PlayHours | null {
  const isEveryDay = days.length === plainExtras.days.length;
  if (isEveryDay && playsFrom === null) return null;
  return { days, fromMs: msOf(playsFrom), untilMs: msOf(playsUntil) };
}

export function extrasOf(asset: ExtraParts): Extras {
  const { hours, presentation, web, metadata, isPlaylistOnly, folder } = asset;
  return {
    headers: web.headers,
    refreshSeconds: web.refreshSeconds,
    days: hours?.days ?? plainExtras.days,
    playsFrom: timeOf(hours?.fromMs ?? null),
    playsUntil: timeOf(hours?.untilMs ?? null),
    isCertificateSkipped: web.isCertificateSkipped,
    metadata,
    fit: presentation.fit,
    volume: presentation.volume,
    isMuted: presentation.isMuted,
    pages: presentation.pages,
    rotation: presentation.rotation,
    userAgent: web.userAgent,
    zoomPercent: web.zoomPercent,
    script: web.script,
    isMetadataSent: web.isMetadataSent,
    isRenderedHere: web.isRenderedHere,
    screenshotCacheSeconds: web.screenshotCacheSeconds,
    isPlaylistOnly,
    folder,
  };
}

/** `09:30:00` → milliseconds since midnight. */
function msOf(time: string | null): number | null {
  return time === null ? null : Date.parse(`1970-01-01T${time}Z`);
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString().slice(11, 19);
}
