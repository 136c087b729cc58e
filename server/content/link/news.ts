// What a player receives about its screen: settings, content revision and pending commands (L-8, L-11).

import type {
  LinkCommand,
  LinkScreen,
  NewsLink,
} from "../../contract/link/link.ts";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";
import type { Mark } from "./changes.ts";
import { heartbeatSeconds } from "./heartbeats.ts";
import {
  createScreenCommands,
  type ScreenCommands,
} from "./screen-commands.ts";

export interface News extends ScreenCommands {
  /** Null when the screen was deleted. */
  screen(screenId: string): Promise<LinkScreen | null>;
  /** By id, without those that were deleted; 500 at most. */
  screens(screenIds: readonly string[]): Promise<Map<string, LinkScreen>>;
  /** Identifiers of the players that these screens have; 500 screens at most. */
  playersOf(screenIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** After a socket could not be opened, growing from one to the other; polling works meanwhile (L-47). */
export const socketRetrySeconds = { first: 15, longest: 300 };

export interface NewsOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

export function createNews({ database, now }: NewsOptions): News {
  const { kysely } = database;

  async function screens(ids: readonly string[]) {
    const rows = await kysely
      .selectFrom("screens")
      .select(["id", "name", "hostname", "team_id", "is_enabled"])
      .select(["timezone", "location", "coords", "config"])
      .where("id", "in", ids)
      .execute();
    if (rows.length === 0) return new Map<string, LinkScreen>();
    // Every screen has All Screens and its own label, and no other screen's own label, whatever was linked once.
    const columns = [
      ...["screens.id as screen_id", "labels.id as id", "labels.type"],
      "labels.human_name",
    ] as const;
    const ofThese = kysely.selectFrom("screens").where("screens.id", "in", ids);
    const labels = await ofThese
      .innerJoin("labels", (join) =>
        join
          .onRef("labels.team_id", "=", "screens.team_id")
          // As a literal, so that PostgreSQL and SQLite use the index of these labels.
          .on("labels.type", "=", sql.lit("all-screens")),
      )
      .select(columns)
      .unionAll(
        ofThese
          .innerJoin("labels", "labels.id", "screens.id")
          .where("labels.type", "=", "screen")
          .select(columns),
      )
      .unionAll(
        ofThese
          .innerJoin("label_screen", (join) =>
            join
              .onRef("label_screen.team_id", "=", "screens.team_id")
              .onRef("label_screen.screen_id", "=", "screens.id"),
          )
          .innerJoin("labels", "labels.id", "label_screen.label_id")
          .where("labels.type", "=", "manual")
          .select(columns),
      )
      .orderBy("id")
      .execute();
    const labelsOf = new Map<string, LinkScreen["labels"]>();
    for (const { screen_id, id, type, human_name: name } of labels) {
      const known = labelsOf.get(screen_id) ?? [];
      labelsOf.set(screen_id, known);
      known.push({ id, type: type as (typeof known)[number]["type"], name });
    }
    return new Map(
      rows.map((row) => [
        row.id,
        {
          ...{ id: row.id, name: row.name, hostname: row.hostname },
          ...{ team_id: row.team_id, is_enabled: Boolean(row.is_enabled) },
          ...{ timezone: row.timezone || "UTC", location: row.location },
          coords: coordsFrom(row.coords),
          config: objectFrom(row.config),
          labels: labelsOf.get(row.id) ?? [],
        },
      ]),
    );
  }

  return {
    screen: async (id) => (await screens([id])).get(id) ?? null,
    screens,
    playersOf: async (ids) => {
      const rows = await kysely
        .selectFrom("players")
        .select("id")
        .where("screen_id", "in", ids)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },
    ...createScreenCommands({ database, now }),
  };
}

export function newsFrom(
  screen: LinkScreen,
  { revision }: Mark,
  commands: readonly LinkCommand[],
): NewsLink {
  return {
    ...{ screen, revision, commands: [...commands] },
    heartbeat_in_seconds: heartbeatSeconds,
    socket_retry_seconds: socketRetrySeconds,
  };
}

/** Version 4 accepts any JSON here. */
function coordsFrom(text: string): [number, number] {
  const json: unknown = JSON.parse(text);
  if (!Array.isArray(json)) return [0, 0];
  const [latitude, longitude] = json as unknown[];
  return typeof latitude === "number" && typeof longitude === "number"
    ? [latitude, longitude]
    : [0, 0];
}

function objectFrom(text: string): LinkScreen["config"] {
  const json: unknown = JSON.parse(text);
  const isObject =
    typeof json === "object" && json !== null && !Array.isArray(json);
  return isObject ? (json as LinkScreen["config"]) : {};
}
