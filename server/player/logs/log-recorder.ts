// Writes the player's events into the logs: each showing when it ends, each change, each fault.

import { extraFields, type ExtraName } from "../../contract/v2/v2-extras.ts";
import { settingFields } from "../../contract/v2/v2-settings.ts";
import type { Asset } from "../../core/asset.ts";
import type { Playlist } from "../../core/playlist.ts";
import { extrasOf } from "../library/asset-extras.ts";
import type { Director } from "../playback/director.ts";
import type { ShowingStatus } from "../playback/showing-status.ts";
import { actorScope } from "./actor.ts";
import { dayOf, type ActivityNote, type History } from "./logs.ts";
import { createPendingNotes, type ThingNote } from "./pending-notes.ts";
import { shownValue, withoutSecrets } from "../../core/log-values.ts";
import type { Library } from "../library/library.ts";
import { zoneOf } from "../time-zone.ts";
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

  const assets = createDifference(
    "asset",
    library.assets(),
    assetFields,
    (asset) => ({
      assetId: asset.id,
    }),
  );
  const lists = createDifference("playlist", playlists.all(), playlistFields);
  // Written together: each entry by itself would flush the disk, up to forty times in a row.
  const pending = createPendingNotes();
  const pendingWrite = createThrottle(clock, checkIntervalMs, () => {
    history.note(...pending.take());
  });
  /** Compared at once, while it is known who made the change. */
  function notePending(happened: readonly ThingNote[]): void {
    if (happened.length === 0) return;
    pending.add(happened, actorScope.current());
    pendingWrite.request();
  }

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
    if (shown.kind === "page") return withoutSecrets(shown.url);
    return library.find(shown.assetId)?.name ?? shown.assetId;
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
    library.onChanged(({ ids }) =>
      notePending(
        ids ? assets.diffOf(ids, library.find) : assets.diff(library.assets()),
      ),
    ),
    playlists.onChanged(() => notePending(lists.diff(playlists.all()))),
    takeovers.onChanged(noteTakeover),
    settings.onChanged((now) => {
      const changed = (Object.keys(now) as (keyof typeof now)[]).filter(
        (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]),
      );
      const previous = before;
      before = now;
      history.note(
        ...changed.map(
          (name) =>
            ({
              kind: "settings",
              ...{ what: "changed", name },
              changes: [
                {
                  field: settingFields[name].wireName,
                  before: shownValue(previous[name]),
                  after: shownValue(now[name]),
                },
              ],
            }) as const,
        ),
      );
    }),
  ];
  history.note({ kind: "player", what: "started", name: "" });
  return () => {
    for (const end of endings) end();
    pendingWrite.stop();
    history.note(...pending.take());
    ongoingTimer.stop();
    writeShowing();
    history.note({ kind: "player", what: "stopped", name: "" });
  };
}

type FieldsOf<Thing> = (thing: Thing) => Readonly<Record<string, unknown>>;

interface Difference<Thing> {
  /** Compares all things. */
  diff(things: readonly Thing[]): readonly ThingNote[];
  /** Compares those with these identifiers; no other has changed. */
  diffOf(
    ids: readonly string[],
    find: (id: string) => Thing | undefined,
  ): readonly ThingNote[];
}

/** What was added, changed and removed since the last comparison; `fieldsOf` returns the fields that count, by name. */
function createDifference<Thing extends { id: string; name: string }>(
  kind: "asset" | "playlist",
  things: readonly Thing[],
  fieldsOf: FieldsOf<Thing>,
  extrasFor: (thing: Thing) => Partial<ActivityNote> = () => ({}),
): Difference<Thing> {
  const known = new Map(things.map((thing) => [thing.id, thing]));

  function diffOf(
    ids: readonly string[],
    find: (id: string) => Thing | undefined,
  ): readonly ThingNote[] {
    return ids.flatMap((id) => {
      const [was, is] = [known.get(id), find(id)];
      const named = is ?? was;
      if (was === is || !named) return [];
      if (is) known.set(id, is);
      else known.delete(id);
      return [
        {
          ...{ id, kind, name: named.name, extras: extrasFor(named) },
          before: was ? () => fieldsOf(was) : null,
          after: is ? () => fieldsOf(is) : null,
        },
      ];
    });
  }

  return {
    diff: (all) => {
      const now = new Map(all.map((thing) => [thing.id, thing]));
      const gone = [...known.keys()].filter((id) => !now.has(id));
      return diffOf([...now.keys(), ...gone], (id) => now.get(id));
    },
    diffOf,
  };
}

/** Under their names in the API; metadata that clients store with an asset is left out, as it does not affect what is shown. */
function assetFields(asset: Asset): Readonly<Record<string, unknown>> {
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

function playlistFields(playlist: Playlist): Readonly<Record<string, unknown>> {
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
