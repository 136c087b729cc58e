// Writes the player's events into the logs: each showing when it ends, each change, each fault.

import { extraFields, type ExtraName } from "../../contract/v2/v2-extras.ts";
import type { Asset } from "../../core/asset.ts";
import type { Playlist } from "../../core/playlist.ts";
import { extrasOf } from "../library/asset-extras.ts";
import type { Director } from "../playback/director.ts";
import type { ShowingStatus } from "../playback/showing-status.ts";
import { dayOf, type ActivityNote, type History } from "./logs.ts";
import type { Library } from "../library/library.ts";
import { zoneOf } from "../playback/presentation-defaults.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { SettingsStore } from "../settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Takeover, Takeovers } from "../playback/takeover.ts";

export interface HistoryWriterOptions {
  readonly history: History;
  readonly director: Director;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  /** 32 random lower-case hex digits. */
  readonly makeId: () => string;
}

interface Recording {
  readonly id: string;
  readonly what: ShowingStatus;
  /** Wall-clock and monotonic milliseconds. */
  readonly startedAt: number;
  readonly since: number;
}

/** A thousand creations in a row cause one comparison. */
const checkIntervalMs = 1000;
/** A power cut loses at most this much of a long showing. */
const noteIntervalMs = 600_000;
/** More changes than this in one comparison are reported as one entry. */
const maxReported = 20;

/** The returned function stops recording and ends the showing that is on screen. */
export function keepHistory(options: HistoryWriterOptions): () => void {
  const {
    history,
    director,
    library,
    playlists,
    takeovers,
    settings,
    clock,
    makeId,
  } = options;
  let recording: Recording | null = null;
  let isCovered = false;

  function writeShowing(): void {
    if (!recording) return;
    const { id, what, startedAt, since } = recording;
    const { showing, playlistId, reason } = what;
    if (showing.assetId === null) return;
    history.noteShown({
      ...{
        id,
        assetId: showing.assetId,
        name: showing.name,
        reason,
        startedAt,
      },
      playlist: playlistId === null ? null : playlistOf(playlistId),
      // The wall clock may have jumped in the meantime.
      endedAt: Math.round(startedAt + clock.monotonic() - since),
    });
  }

  function beginShowing(what: ShowingStatus | null): void {
    recording = what && {
      ...{ id: makeId(), what, since: clock.monotonic() },
      startedAt: Math.round(clock.now()),
    };
  }

  /** A new report about the same showing (its verdict, for example) does not end it. */
  function noteShowing(): void {
    const now = director.status();
    noteCover(now);
    if (now?.showing.id === recording?.what.showing.id) return;
    writeShowing();
    beginShowing(now);
  }

  /** When the screen starts to be covered is reported with the faults. */
  function noteCover(now: ShowingStatus | null): void {
    if (!now) return;
    const { coveredSinceMs, showing } = now;
    if (isCovered && coveredSinceMs === null)
      history.note({
        ...{ kind: "fault", what: "uncovered", name: showing.name },
        assetId: showing.assetId,
      });
    isCovered = coveredSinceMs !== null;
  }

  /** A showing that lasts for days is recorded as a playback on each of them. */
  function recordOngoing(): void {
    writeShowing();
    const zone = zoneOf(settings.all());
    if (
      recording &&
      dayOf(recording.startedAt, zone) !== dayOf(clock.now(), zone)
    )
      beginShowing(recording.what);
  }
  const ongoingTimer = createThrottle(clock, noteIntervalMs, () => {
    recordOngoing();
    ongoingTimer.request();
  });
  ongoingTimer.request();

  function playlistOf(id: string): { id: string; name: string } {
    const entry = playlists.all().find((playlist) => playlist.id === id);
    return { id, name: entry?.name ?? "" };
  }

  const assets = createDifference<Asset>("asset", assetMarks, (asset) => ({
    assetId: asset.id,
  }));
  const lists = createDifference<Playlist>("playlist", playlistMarks);
  assets.diff(library.assets());
  lists.diff(playlists.all());
  const pendingDiff = createThrottle(clock, checkIntervalMs, () => {
    // Together: each entry by itself would flush the disk, up to forty times in a row.
    history.note(
      ...assets.diff(library.assets()),
      ...lists.diff(playlists.all()),
    );
  });

  let takeover = takeovers.current();
  function noteTakeover(): void {
    const now = takeovers.current();
    if (now?.id === takeover?.id) return;
    if (takeover)
      history.note({
        ...{ kind: "takeover", what: "ended" },
        ...{ name: nameOf(takeover), says: "" },
      });
    if (now)
      history.note({
        ...{ kind: "takeover", what: now.isDrill ? "drill" : "began" },
        ...{ name: nameOf(now), says: now.reason ?? "" },
      });
    takeover = now;
  }

  function nameOf({ shown }: Takeover): string {
    if (shown.kind === "text") return shown.text;
    if (shown.kind === "blank") return "";
    if (shown.kind === "page") return shown.url;
    const { assetId } = shown;
    const entry = library.assets().find((asset) => asset.id === assetId);
    return entry?.name ?? assetId;
  }

  let before = settings.all();
  const endings = [
    director.onShowing(noteShowing),
    director.onFault(({ assetId, name, reason, isCover }) =>
      history.note({
        ...{ kind: "fault", what: isCover ? "covered" : "failed" },
        ...{ name, assetId, says: reason },
      }),
    ),
    library.onChanged(pendingDiff.request),
    playlists.onChanged(pendingDiff.request),
    takeovers.onChanged(noteTakeover),
    settings.onChanged((now) => {
      const changed = (Object.keys(now) as (keyof typeof now)[]).filter(
        (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]),
      );
      before = now;
      history.note(
        ...changed.map(
          (name) => ({ kind: "settings", what: "changed", name }) as const,
        ),
      );
    }),
  ];
  history.note({ kind: "player", what: "started", name: "" });
  return () => {
    for (const end of endings) end();
    pendingDiff.stop();
    ongoingTimer.stop();
    writeShowing();
    history.note({ kind: "player", what: "stopped", name: "" });
  };
}

interface Difference<Thing> {
  diff(things: readonly Thing[]): readonly ActivityNote[];
}

/** What was added, changed and removed since the last comparison; `marksOf` returns the fields that count, by name. */
function createDifference<Thing extends { id: string; name: string }>(
  kind: "asset" | "playlist",
  marksOf: (thing: Thing) => Readonly<Record<string, unknown>>,
  extrasFor: (thing: Thing) => Partial<ActivityNote> = () => ({}),
): Difference<Thing> {
  let before: ReadonlyMap<string, Thing> | null = null;
  return {
    diff: (things) => {
      const now = new Map(things.map((thing) => [thing.id, thing]));
      const previous = before;
      before = now;
      if (!previous) return [];
      const happened: ActivityNote[] = [];
      const addChange = (thing: Thing, what: string, says = ""): void => {
        happened.push({
          ...{ kind, what, name: thing.name, says },
          ...extrasFor(thing),
        });
      };
      for (const thing of things) {
        const old = previous.get(thing.id);
        if (!old) addChange(thing, "added");
        else if (old !== thing) {
          const fields = changedOf(marksOf(old), marksOf(thing));
          if (fields.length > 0) addChange(thing, "changed", fields.join(", "));
        }
      }
      for (const thing of previous.values())
        if (!now.has(thing.id)) addChange(thing, "removed");
      return shortened(kind, happened);
    },
  };
}

function shortened(
  kind: "asset" | "playlist",
  happened: readonly ActivityNote[],
): readonly ActivityNote[] {
  if (happened.length <= maxReported) return happened;
  const count = (what: string): number =>
    happened.filter((one) => one.what === what).length;
  return ["added", "changed", "removed"]
    .filter((what) => count(what) > 0)
    .map((what) => ({ kind, what, name: "", says: `${count(what)}` }));
}

function changedOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(after)
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) =>
      name === headersName
        ? `${name} (${changedHeaders(before[name], after[name])})`
        : name,
    );
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

const headersName = extraFields.headers.wireName;

/** Only the names of headers that were added, changed or removed: their values are secrets. */
function changedHeaders(before: unknown, after: unknown): string {
  const [was, is] = [headersOf(before), headersOf(after)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((name) => was.get(name) !== is.get(name))
    .join("; ");
}

function headersOf(headers: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(headers ?? {}));
}

/** Under their names in the API; metadata that clients store with an asset is left out, as it does not affect what is shown. */
function assetMarks(asset: Asset): Readonly<Record<string, unknown>> {
  const extras = extrasOf(asset);
  const marks: Record<string, unknown> = {
    ...{ name: asset.name, uri: asset.uri, play_order: asset.playOrder },
    ...{ start_date: asset.startsAt, end_date: asset.endsAt },
    ...{ duration: asset.durationSeconds, is_enabled: asset.isEnabled },
    ...{ nocache: asset.noCache, file: asset.file?.hash ?? null },
  };
  for (const name of Object.keys(extraFields) as ExtraName[])
    if (name !== "metadata") marks[extraFields[name].wireName] = extras[name];
  return marks;
}

function playlistMarks(playlist: Playlist): Readonly<Record<string, unknown>> {
  return {
    ...{ name: playlist.name, predicate: playlist.predicate },
    ...{ priority: playlist.priority, is_enabled: playlist.isEnabled },
    ...{ transition: playlist.transition, shuffle: playlist.isShuffled },
    ...{ groups: playlist.groups, items: playlist.items },
  };
}

/** Runs at most once per interval, however often it is requested, and never in the middle of another operation. */
export function createThrottle(
  clock: Clock,
  intervalMs: number,
  diff: () => void,
): { request(): void; stop(): void } {
  let cancel: (() => void) | null = null;
  return {
    request: () => {
      cancel ??= clock.after(intervalMs, () => {
        cancel = null;
        diff();
      });
    },
    stop: () => {
      cancel?.();
      cancel = null;
    },
  };
}
