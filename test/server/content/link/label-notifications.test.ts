// Label notifications to a screen, whatever older versions let clients link.

import { expect, it } from "vitest";
import { createNews } from "../../../../server/content/link/news.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { firstMoment } from "../../../support/content/serve-v4.ts";

eachDatabase((any) => {
  it("[L-8] a screen has its own label without a link, and never another screen's own, even when linked", async () => {
    const database = await any.open();
    const { kysely } = database;
    const own = { team_id: makeUlid(firstMoment), created_at: firstMoment };
    await addTeam(kysely, {
      ...{ id: own.team_id, name: "Team", labelId: "all" },
      moment: firstMoment,
    });
    for (const id of ["S1", "S2"]) {
      await kysely
        .insertInto("screens")
        .values({ ...own, id, name: id, hostname: `srly-${id}` })
        .execute();
      await kysely
        .insertInto("labels")
        .values({ ...own, id, type: "screen", name: id, human_name: id })
        .execute();
    }
    await kysely
      .insertInto("labels")
      .values({ ...own, id: "M", type: "manual", name: "M", human_name: "M" })
      .execute();
    for (const label_id of ["M", "S1"])
      await kysely
        .insertInto("label_screen")
        .values({ ...own, row_id: label_id, label_id, screen_id: "S2" })
        .execute();
    const news = createNews({
      ...{ database, makeId: () => makeUlid(firstMoment) },
      now: () => firstMoment,
    });
    const labelsOf = async (id: string) =>
      (await news.screen(id))?.labels.map((label) => label.id).sort();
    expect(await labelsOf("S1")).toEqual(["S1", "all"]);
    expect(await labelsOf("S2")).toEqual(["M", "S2", "all"]);
  });
});
