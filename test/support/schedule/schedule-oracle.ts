// Oracle of the schedule: what plays at a time and why, computed in the slow and obvious way.

import type { Asset } from "../../../server/core/asset.ts";
import type { Playlist } from "../../../server/core/playlist.ts";
import type { ScheduleInput } from "../../../server/core/schedule/schedule.ts";
import { truthOf, type Sentence } from "./predicate-oracle.ts";
import { shownBy, type ShownTime } from "./wall-clock-oracle.ts";

export interface OraclePlaylist {
  readonly playlist: Playlist;
  readonly sentence: Sentence;
}

/** The input of a schedule, with the meaning of the predicates next to their text. */
export interface OracleInput {
  readonly input: ScheduleInput;
  readonly playlists: readonly OraclePlaylist[];
}

export interface Verdict {
  /** Due entries: playlist (`local` for that of the local assets), item and asset. */
  readonly due: readonly string[];
  /** The reason's code, or code and what it names, of every playlist and entry. */
  readonly reasons: readonly string[];
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly isEnabled: boolean;
  readonly groups: readonly string[];
  readonly sentence: Sentence | null;
  readonly entries: readonly {
    readonly id: string;
    readonly assetId: string;
  }[];
}

export function verdictAt(
  { input, playlists }: OracleInput,
  moment: number,
): Verdict {
  const shown = shownBy(input.zone, moment);
  const rows = [localRow(input), ...rowsOf(playlists)];
  const whyNot = (assetId: string): string | null =>
    whyNotAsset(input, assetId, shown);
  const isFor = (row: Row): boolean =>
    row.groups.length === 0 ||
    row.groups.some(
      (group) => input.groups.includes(group) || /^all[-_]screens$/.test(group),
    );
  const isTrue = (row: Row): boolean =>
    row.sentence === null || truthOf(row.sentence, shown);
  const eligible = rows.filter(
    (row) =>
      row.isEnabled &&
      isFor(row) &&
      isTrue(row) &&
      row.entries.some(({ assetId }) => whyNot(assetId) === null),
  );
  const top = Math.max(...eligible.map(({ priority }) => priority));
  const playing = eligible.filter(({ priority }) => priority === top);
  const [winner] = playing;

  function whyPlaylist(row: Row): string {
    if (!row.isEnabled) return "disabled";
    if (!isFor(row)) return "other-groups";
    if (!isTrue(row)) return "predicate-false";
    if (!eligible.includes(row)) return `playlist-empty ${row.entries.length}`;
    return playing.includes(row) ? "plays" : `loses ${winner?.name ?? ""}`;
  }

  return {
    due: playing.flatMap((row) =>
      row.entries
        .filter(({ assetId }) => whyNot(assetId) === null)
        .map(({ id, assetId }) => `${row.id} ${id} ${assetId}`),
    ),
    reasons: rows.flatMap((row) => [
      `${row.id}: ${whyPlaylist(row)}`,
      ...row.entries.map(
        ({ id, assetId }) =>
          `${row.id} ${id}: ${whyNot(assetId) ?? whyPlaylist(row)}`,
      ),
    ]),
  };
}

function localRow({ assets, playlists }: ScheduleInput): Row {
  const isNamed = (id: string): boolean =>
    playlists.some(({ items }) => items.some(({ assetId }) => assetId === id));
  const isDated = ({ startsAt, endsAt }: Asset): boolean =>
    startsAt !== null && endsAt !== null;
  return {
    ...{ id: "local", name: "local", priority: 0, isEnabled: true },
    ...{ groups: [], sentence: null },
    entries: assets
      .filter(
        (asset) =>
          !asset.isPlaylistOnly && (isDated(asset) || !isNamed(asset.id)),
      )
      .sort((a, b) => a.playOrder - b.playOrder)
      .map(({ id }) => ({ id, assetId: id })),
  };
}

function rowsOf(playlists: readonly OraclePlaylist[]): readonly Row[] {
  return playlists
    .map(({ playlist, sentence }) => ({
      ...playlist,
      sentence,
      entries: playlist.items,
    }))
    .sort((a, b) =>
      a.createdAt === b.createdAt
        ? a.id.localeCompare(b.id)
        : a.createdAt - b.createdAt,
    );
}

function whyNotAsset(
  { assets, playlists, quarantine }: ScheduleInput,
  assetId: string,
  shown: ShownTime,
): string | null {
  const asset = assets.find(({ id }) => id === assetId);
  if (!asset) return "not-on-disk";
  const isNamed = playlists.some(({ items }) =>
    items.some((item) => item.assetId === assetId),
  );
  const { startsAt, endsAt, hours } = asset;
  if (!asset.isEnabled) return "disabled";
  if (!isNamed && (startsAt === null || endsAt === null))
    return "outside-dates";
  if (startsAt !== null && shown.moment < startsAt) return "outside-dates";
  if (endsAt !== null && shown.moment >= endsAt) return "outside-dates";
  if (hours && !isWithin(hours, shown)) return "outside-hours";
  if (asset.isProcessing) return "not-on-disk";
  const until = quarantine?.get(assetId);
  if (until === null || (until !== undefined && shown.moment < until))
    return `quarantined ${String(until)}`;
  return null;
}

/** The windows of today and of yesterday, each from its start to its end, on today's clock. */
function isWithin(
  { days, fromMs, untilMs }: NonNullable<Asset["hours"]>,
  { timeMs, weekday }: ShownTime,
): boolean {
  const day = 86_400_000;
  const from = fromMs ?? 0;
  const until = untilMs ?? day;
  const length = until > from ? until - from : until - from + day;
  const names = [7, 1, 2, 3, 4, 5, 6];
  const windows = [
    { name: names[weekday], start: from },
    { name: names[(weekday + 6) % 7], start: from - day },
  ];
  return windows.some(
    ({ name, start }) =>
      days.includes(name ?? 0) && timeMs >= start && timeMs < start + length,
  );
}
