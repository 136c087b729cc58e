// Deleted revisions of an edge app, and the number that the next one gets.

import { expect, it } from "vitest";
import { appForPlayer } from "../../../../server/content/link/apps.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import {
  firstMoment,
  serveV4,
  type V4Service,
} from "../../../support/content/serve-v4.ts";

interface File {
  readonly app: string;
  readonly revision: number;
  readonly title: string;
}

async function addFile(
  { database, team }: V4Service,
  { app, revision, title }: File,
): Promise<void> {
  await database.kysely
    .insertInto("assets")
    .values({
      ...{ id: makeUlid(firstMoment), team_id: team, title, app_id: app },
      ...{ type: "edge-app-file", status: "finished", app_revision: revision },
      created_at: firstMoment,
    })
    .execute();
}

/** An app with two versions, a file of each, and what an installation of it receives. */
async function serveApp(v4: V4Service) {
  const [app] = await v4.make("/edge-apps?select=id", { name: "App" });
  const app_id: string = app.id;
  const [installed] = await v4.make("/edge-apps/installations?select=id", {
    ...{ app_id, name: "Here" },
  });
  const addVersion = async () =>
    (await v4.make("/edge-apps/versions", { app_id }))[0].revision as number;
  for (const title of ["one.html", "two.html"])
    await addFile(v4, { app: app_id, revision: await addVersion(), title });
  const stable = `/edge-apps/channels?app_id=eq.${app_id}&channel=eq.stable`;
  return {
    ...{ app_id, addVersion, stable },
    play: (app_revision: number) =>
      v4.request("PATCH", stable, { body: { app_revision } }),
    drop: async (revision: number) => {
      const path = `/edge-apps/versions?app_id=eq.${app_id}&revision=eq.${revision}`;
      return (await v4.request("DELETE", path)).status;
    },
    played: async () =>
      (await v4.get(`${stable}&select=app_revision`)).json[0].app_revision,
    reported: async () => {
      const of = await appForPlayer(v4.database, v4.team, installed.id);
      return [of?.revision, Object.keys(of?.files ?? {})];
    },
  };
}

eachDatabase((database) => {
  it("[V4-48] a channel that played a deleted revision plays none, and the next version does not play by itself", async () => {
    const v4 = await serveV4(database);
    const [mine, other] = [await serveApp(v4), await serveApp(v4)];
    for (const app of [mine, other]) await app.play(2);
    expect(await mine.reported()).toEqual([2, ["two.html"]]);
    expect(await mine.drop(2)).toBe(204);
    expect([await mine.played(), await mine.reported()]).toEqual([
      ...[null, [null, []]],
    ]);
    await mine.play(await mine.addVersion());
    expect((await mine.reported())[1]).toEqual([]);
    await mine.play(1);
    expect(await mine.reported()).toEqual([1, ["one.html"]]);
    expect(await other.reported()).toEqual([2, ["two.html"]]);
  });

  it("[V4-48] a deleted version's number is not reused, however many are deleted and in whatever order", async () => {
    const v4 = await serveV4(database);
    const { app_id, addVersion, drop } = await serveApp(v4);
    const { addVersion: addOther } = await serveApp(v4);
    expect(await addVersion()).toBe(3);
    for (const revision of [3, 2]) expect(await drop(revision)).toBe(204);
    expect(await addVersion()).toBe(4);
    const all = `/edge-apps/versions?app_id=eq.${app_id}&revision=in.(1,4)`;
    expect((await v4.request("DELETE", all)).status).toBe(204);
    expect([await addVersion(), await addVersion()]).toEqual([5, 6]);
    expect(await addOther()).toBe(3);
    const [shown] = (await v4.get(`/edge-apps?id=eq.${app_id}`)).json;
    expect(Object.keys(shown)).not.toContain("deleted_revision");
  });

  it("[V4-48] a number that a channel or a file still refers to is not reused", async () => {
    const v4 = await serveV4(database);
    const { app_id, addVersion } = await serveApp(v4);
    // As in stores in which versions were deleted before channels followed.
    await v4.database.kysely
      .updateTable("edge_app_channels")
      .set({ app_revision: 5 } as never)
      .where("app_id", "=", app_id)
      .execute();
    expect(await addVersion()).toBe(6);
    await addFile(v4, { app: app_id, revision: 8, title: "left.html" });
    expect(await addVersion()).toBe(9);
    const other = await serveApp(v4);
    expect(await other.addVersion()).toBe(3);
  });

  it("[V4-29] a merge without a revision does not check whether one exists", async () => {
    const v4 = await serveV4(database);
    const { app_id } = await serveApp(v4);
    await v4.database.kysely
      .updateTable("edge_app_channels")
      .set({ app_revision: 5 } as never)
      .where("app_id", "=", app_id)
      .execute();
    const merge = (body: object) =>
      v4.request("POST", "/edge-apps/channels?on_conflict=app_id,channel", {
        body: { app_id, channel: "stable", ...body },
        headers: { Prefer: "resolution=merge-duplicates" },
      });
    expect((await merge({})).status).toBe(200);
    expect((await merge({ app_revision: 5 })).status).toBe(409);
  });
});
