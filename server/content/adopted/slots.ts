// What should be on an adopted player: a slot for each asset of its playlists, those that are due now in order (V3-114).

import { playerReasonText } from "../../contract/v3/player-reasons.ts";
import type { Asset } from "../../core/asset.ts";
import type { Playlist } from "../../core/playlist.ts";
import { playlistOnlyAsset } from "../../core/schedule/playlist-only-asset.ts";
import { compileSchedule } from "../../core/schedule/schedule.ts";

/** The kinds that an Anthias player shows. */
export type PlayerKind = "image" | "video" | "webpage" | "streaming";

/** An asset of the service as an Anthias player would take it. */
export interface Offer {
  readonly assetId: string;
  readonly name: string;
  readonly content:
    | {
        readonly kind: PlayerKind;
        /** Hash of the stored file; null for an address. */
        readonly hash: string | null;
        /** The hash, or the address: another one is another asset on the player. */
        readonly source: string;
        /** Of the file's name, such as `.png`; empty for an address. */
        readonly extension: string;
      }
    /** Why an Anthias player cannot show it, as a sentence; null while it is still processed. */
    | { readonly problem: string | null };
  readonly durationSeconds: number;
  readonly skipsCheck: boolean;
}

/** A place for one asset on the player; an asset that plays twice in a round has two. */
export interface Slot {
  /** `01J…#2` */
  readonly key: string;
  readonly assetId: string;
  readonly name: string;
  readonly kind: PlayerKind;
  readonly hash: string | null;
  readonly source: string;
  readonly extension: string;
  /** 0 for a video: it plays to its end, and no other value is accepted. */
  readonly durationSeconds: number;
  readonly isEnabled: boolean;
  readonly skipsCheck: boolean;
}

export interface Desired {
  /** Those that are due, in order; then the others, which are kept on the player but disabled. */
  readonly slots: readonly Slot[];
  /** What cannot be on the player, with the reason. */
  readonly impossible: readonly {
    readonly name: string;
    readonly reason: string;
  }[];
  /** Assets that are still processed: they are expected, but not missing. */
  readonly waiting: number;
  /** What is due changes by itself at this moment; null: not as planned. */
  readonly changesAt: number | null;
}

export interface DesiredInput {
  readonly offers: readonly Offer[];
  readonly playlists: readonly Playlist[];
  readonly zone: string;
  /** A disabled screen shows nothing of the service. */
  readonly isEnabled: boolean;
  readonly moment: number;
}

/** An Anthias player renumbers all its assets at every change: more take minutes. */
export const maxSlots = 200;

export function desiredOf(input: DesiredInput): Desired {
  const { playlists, moment, isEnabled } = input;
  const offers = new Map(input.offers.map((offer) => [offer.assetId, offer]));
  const schedule = compileSchedule({
    ...{ assets: input.offers.map(scheduled), playlists, zone: input.zone },
    groups: [],
  });
  const lineup = schedule.lineupAt(moment);
  const slots: Slot[] = [];
  const counts = new Map<string, number>();
  const add = (offer: Offer, isDue: boolean, seconds: number | null): void => {
    const { assetId, name, content, skipsCheck } = offer;
    if ("problem" in content) return;
    const count = (counts.get(assetId) ?? 0) + 1;
    counts.set(assetId, count);
    slots.push({
      ...{ key: `${assetId}#${count}`, assetId, name, ...content, skipsCheck },
      durationSeconds:
        content.kind === "video" ? 0 : (seconds ?? offer.durationSeconds),
      isEnabled: isDue && isEnabled,
    });
  };
  for (const { asset, playlistId, durationSeconds } of lineup.entries) {
    const offer = offers.get(asset.id);
    if (playlistId !== null && offer) add(offer, true, durationSeconds);
  }
  // As many as the playlist with the most of it needs: then nothing has to be sent when it becomes due.
  for (const { items } of playlists) {
    const needed = new Map<string, number>();
    for (const { assetId } of items) {
      const count = (needed.get(assetId) ?? 0) + 1;
      needed.set(assetId, count);
      const offer = offers.get(assetId);
      if (offer && count > (counts.get(assetId) ?? 0)) add(offer, false, null);
    }
  }
  const used = new Set(playlists.flatMap(({ items }) => items.map(idOf)));
  const problems = input.offers.flatMap(({ assetId, name, content }) =>
    "problem" in content && used.has(assetId)
      ? [{ name, reason: content.problem }]
      : [],
  );
  const impossible = problems.flatMap(({ name, reason }) =>
    reason === null ? [] : [{ name, reason }],
  );
  return {
    slots: slots.slice(0, maxSlots),
    impossible: [
      ...impossible,
      ...slots.slice(maxSlots).map(({ name }) => ({
        ...{ name, reason: playerReasonText("too-many", maxSlots) },
      })),
    ],
    waiting: problems.length - impossible.length,
    changesAt: lineup.changesAt,
  };
}

function idOf({ assetId }: { readonly assetId: string }): string {
  return assetId;
}

/** For the schedule: one that cannot be shown gives way as it does on Vitrine's own player. */
function scheduled({ assetId, name, content }: Offer): Asset {
  return playlistOnlyAsset({
    ...{ id: assetId, name, isEnabled: true, durationSeconds: 0 },
    isProcessing: "problem" in content,
  });
}
