// Where a link, a queue upwards and plans on a stick take their place beside the player, and the rows they stand on.

import { Failure } from "../../../core/failure.ts";
import type { LinkDesk, UpwardsDesk } from "../../../core/upwards-desk.ts";
import type { CloudChange } from "../../../core/upwards.ts";
import {
  createAirGapRows,
  type AirGapRowsOptions,
} from "../offline-bundle/bundle-rows.ts";
import type { AirGap } from "../offline-bundle/offline-bundle.ts";
import { createLinkRows } from "../link-client/link-rows.ts";
import {
  createUpwardsRows,
  type UpwardsRowsOptions,
} from "../outbox/outbox-rows.ts";

/** What an interface asks of offline bundles. */
export type AirGapDesk = Pick<
  AirGap,
  "exportPlan" | "importPlan" | "keys" | "distrust"
>;

export interface BesideDesks {
  readonly link: LinkDesk;
  readonly upwards: UpwardsDesk;
  readonly airGap: AirGapDesk;
}

export interface SyncBesidePlace {
  attach(desks: BesideDesks): void;
  /** Throws `unavailable` where there are none. */
  desks(): BesideDesks;
  /** The queue upwards of an account; empty where there is none. */
  changes(accountId: string): readonly CloudChange[];
  /** To be typed by a person at a service; null where nobody waits, and when it is good for nothing any more. */
  pin(): { readonly pin: string; readonly at: string } | null;
}

export function createSyncBesidePlace(
  onPin: () => void,
  now: () => number,
): SyncBesidePlace {
  let attached: BesideDesks | null = null;
  return {
    attach: (desks) => {
      attached = desks;
      desks.link.onPairing(onPin);
      onPin();
    },
    desks: () => {
      if (attached) return attached;
      throw new Failure(
        "unavailable",
        "This player was started without a sync.",
      );
    },
    changes: (accountId) => attached?.upwards.changes(accountId) ?? [],
    pin: () => {
      const pairing = attached?.link.pairing() ?? null;
      if (pairing === null || pairing.pin === null) return null;
      if (pairing.pinEndsAt !== null && pairing.pinEndsAt <= now()) return null;
      return { pin: pairing.pin, at: new URL(pairing.baseUrl).host };
    },
  };
}

export type SyncBesideRows = ReturnType<typeof createSyncBesideRows>;

export function createSyncBesideRows(
  options: UpwardsRowsOptions & AirGapRowsOptions,
) {
  return {
    ...createLinkRows(options.database),
    ...createUpwardsRows(options),
    ...createAirGapRows(options),
  };
}
