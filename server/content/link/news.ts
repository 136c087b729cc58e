// What a player receives about its screen: settings, content revision and pending commands (L-8, L-11).

import type {
  LinkCommand,
  LinkScreen,
  NewsLink,
} from "../../contract/link/link.ts";
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
}

export interface NewsOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

export function createNews({ database, now }: NewsOptions): News {
  const { kysely } = database;
  return {
    screen: async (id) => {
      const row = await kysely
        .selectFrom("screens")
        .select(["id", "name", "hostname", "team_id", "is_enabled"])
        .select(["timezone", "location", "coords", "config"])
        .where("id", "=", id)
        .executeTakeFirst();
      if (!row) return null;
      const labels = await kysely
        .selectFrom("labels")
        .leftJoin("label_screen", (join) =>
          join
            .onRef("label_screen.label_id", "=", "labels.id")
            .on("label_screen.screen_id", "=", id),
        )
        .select(["labels.id", "labels.type", "labels.human_name"])
        .where("labels.team_id", "=", row.team_id)
        // Every screen has All Screens and its own label, and no other screen's own label, whatever was linked once.
        .where((eb) =>
          eb.or([
            eb.and([
              eb("label_screen.row_id", "is not", null),
              eb("labels.type", "=", "manual"),
            ]),
            eb("labels.type", "=", "all-screens"),
            eb.and([
              eb("labels.type", "=", "screen"),
              eb("labels.id", "=", id),
            ]),
          ]),
        )
        .orderBy("labels.id")
        .execute();
      return {
        ...{ id, name: row.name, hostname: row.hostname, team_id: row.team_id },
        is_enabled: Boolean(row.is_enabled),
        ...{ timezone: row.timezone || "UTC", location: row.location },
        coords: coordsFrom(row.coords),
        config: objectFrom(row.config),
        labels: labels.map(({ id: label, type, human_name }) => ({
          id: label,
          type: type as LinkScreen["labels"][number]["type"],
          name: human_name,
        })),
      };
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
