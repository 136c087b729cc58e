// What players of one site request from each other: how far each is with some files, and the bytes of one of them (V2-822).

import * as z from "zod";
import { fileStages } from "../../core/site/site-state.ts";

export const sitePaths = {
  /** POST: the state of some files. With an MD5 after it, GET: its bytes. */
  files: "/site/v1/files",
} as const;

export const maxSiteFiles = 200;
/** Of a request, and of its response. */
export const maxSiteBodyBytes = 64 * 1024;

const md5 = z.string().regex(/^[0-9a-f]{32}$/);

/** The body of `POST files`. */
export const siteQuestion = z.object({
  /** The player that sends the request: it can be requested there. */
  player: z.string().regex(/^[0-9a-f]{16}$/),
  port: z.int().min(1).max(65_535),
  files: z.array(md5).max(maxSiteFiles),
});
export type SiteQuestion = Readonly<z.infer<typeof siteQuestion>>;

/** 200 of `POST files`: those that the player has or wants, and no others. */
export const siteAnswer = z.object({
  player: z.string().regex(/^[0-9a-f]{16}$/),
  files: z.record(
    md5,
    z.object({ stage: z.enum(fileStages), bytes: z.int().nonnegative() }),
  ),
});
export type SiteAnswer = Readonly<z.infer<typeof siteAnswer>>;

/** The same on every player, for a firewall that has to be opened; not registered for anything else. */
export const defaultSitePort = 8091;

/** Of the announcement in the network (V2-821). */
export const siteType = "_vitrine-site._tcp";

/** More keys would not fit into their record. */
const maxAnnouncedKeys = 12;

interface AnnouncedSite {
  readonly player: string;
  readonly keyIds: readonly string[];
}

export function siteValues({
  player,
  keyIds,
}: AnnouncedSite): Readonly<Record<string, string>> {
  const keys = keyIds.slice(0, maxAnnouncedKeys).join(",");
  return { v: "1", player, keys };
}

/** Values of a stranger; null if they are not those of a player that shares files. */
export function readSiteValues(
  values: ReadonlyMap<string, string>,
): AnnouncedSite | null {
  const player = values.get("player") ?? "";
  const keyIds = (values.get("keys") ?? "").split(",");
  return /^[0-9a-f]{16}$/.test(player) &&
    keyIds.length <= maxAnnouncedKeys &&
    keyIds.every((id) => /^[0-9a-f]{16}$/.test(id))
    ? { player, keyIds }
    : null;
}
