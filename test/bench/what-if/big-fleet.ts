// A fleet of many screens, the same one for the same numbers: regions with their time zones, sites, and roles of screens.

import type { Playlist } from "../../../server/core/playlist.ts";
import type { FleetContent } from "../../../server/core/what-if/fleet.ts";

export interface FleetScreen {
  readonly id: string;
  readonly zone: string;
  readonly labels: readonly string[];
}

export interface BigFleet {
  readonly content: FleetContent;
  readonly screens: readonly FleetScreen[];
}

const zones = ["Europe/Berlin", "Europe/London", "America/New_York", "UTC"];
const roles = ["window", "canteen", "till", "lobby", "lift"];
const itemsOfPlaylist = 10;
const hourMs = 3_600_000;

/** Every hundredth playlist is for all screens; the others are for a site, a region or a role. */
export function bigFleet(screens: number, playlists: number): BigFleet {
  const sites = playlists - 20;
  const assets = Array.from({ length: playlists * 5 }, (_, at) => ({
    ...{ id: `asset-${at}`, isPlayable: at % 50 !== 49, durationSeconds: 10 },
    folder: at % 40 === 0 ? "Alcohol" : "",
  }));
  const labelOf = (at: number): string => {
    if (at % 100 === 0) return "all";
    if (at < 8) return `region-${at % zones.length}`;
    return at < 20 ? `role-${roles[at % roles.length]}` : `site-${at - 20}`;
  };
  return {
    content: {
      assets,
      playlists: Array.from({ length: playlists }, (_, at): Playlist => ({
        ...{ id: `playlist-${at}`, name: `Playlist ${at}`, isEnabled: true },
        predicate: predicateOf(at),
        ...{ priority: at % 9 === 8 ? 1 : 0, groups: [labelOf(at)] },
        ...{ transition: null, isShuffled: null, createdAt: at },
        items: Array.from({ length: itemsOfPlaylist }, (_item, place) => ({
          id: `item-${at}-${place}`,
          assetId: `asset-${(at * 7 + place * 13) % assets.length}`,
          durationSeconds: 10,
        })),
      })),
    },
    screens: Array.from({ length: screens }, (_, at) => {
      const site = at % sites;
      return {
        ...{ id: `screen-${at}`, zone: zones[site % zones.length] ?? "UTC" },
        labels: [
          ...["all", `screen-${at}`, `site-${site}`],
          `region-${site % zones.length}`,
          `role-${roles[Math.floor(at / sites) % roles.length]}`,
        ],
      };
    }),
  };
}

function predicateOf(at: number): string {
  const from = (at % 12) * hourMs;
  const until = from + (4 + (at % 8)) * hourMs;
  switch (at % 5) {
    case 0:
      return "TRUE";
    case 1:
      return `$WEEKDAY IN {1, 2, 3, 4, 5} AND $TIME >= ${from} AND $TIME < ${until}`;
    case 2:
      return `$TIME BETWEEN {${from}, ${until}}`;
    case 3:
      return `$WEEKDAY = ${at % 7} OR $TIME < ${from}`;
    default:
      return `NOT $TIME BETWEEN {${from}, ${until}} AND $WEEKDAY IN {0, 6}`;
  }
}
