// Secrets of edge apps: set, stored for the player, and returned by no response.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import {
  serveV4,
  type Answer,
  type V4Service,
} from "../../../support/content/serve-v4.ts";

const settings = "/edge-apps/settings";
const values = "/edge-apps/settings/values";
const secrets = "/edge-apps/secrets/values";
const rows = { Prefer: "return=representation" };

function statusText({ status, json }: Answer): string {
  return `${status} ${json?.code ?? ""}`.trim();
}

async function withApp(v4: V4Service): Promise<string> {
  const [app] = await v4.make("/edge-apps?select=id", { name: "App" });
  return String(app.id);
}

eachDatabase((database) => {
  it("[V4-42] [V3-60] returns a secret's value in no way, not even to the client that sets it", async () => {
    const v4 = await serveV4(database);
    const app_id = await withApp(v4);
    await v4.make(settings, { app_id, name: "key", type: "secret" });
    const [installed] = await v4.make("/edge-apps/installations?select=id", {
      ...{ app_id, name: "Clock" },
    });
    const secret = { name: "key", value: "hush" };
    const complete = await v4.make(secrets, { ...secret, app_id });
    expect(complete).toEqual([{ app_id, installation_id: null, name: "key" }]);
    const ways = ["select=value", "select=shown:value", "select=value::text"];
    for (const way of ways) {
      const body = { ...secret, installation_id: installed.id };
      const answer = await v4.request("POST", `${secrets}?${way}`, {
        ...{ body, headers: rows },
      });
      expect([way, statusText(answer)]).toEqual([way, "400 42703"]);
    }
    const csv = await v4.request("POST", secrets, {
      body: { ...secret, installation_id: installed.id },
      headers: { ...rows, Accept: "text/csv" },
    });
    expect([csv.status, csv.text.includes("hush")]).toEqual([201, false]);
    const kept = await v4.database.kysely
      .selectFrom("edge_app_secret_values")
      .select("value")
      .execute();
    expect(kept).toEqual([{ value: "hush" }, { value: "hush" }]);
    const described = await v4.get("/");
    const { schemas } = described.json.components;
    expect(schemas.edge_app_secret_values.properties.value).toBeUndefined();
    expect(
      schemas["edge_app_secret_values.insert"].properties.value,
    ).toBeDefined();
  });

  it("[V4-42] removes the values of a setting that an upsert makes a secret, and of no other", async () => {
    const v4 = await serveV4(database);
    const app_id = await withApp(v4);
    for (const name of ["key", "zone"]) {
      await v4.make(settings, { app_id, name, default_value: "plain" });
      await v4.make(values, { app_id, name, value: "hush" });
    }
    const upsert = await v4.request(
      "POST",
      `${settings}?on_conflict=app_id,name&select=name,type,default_value&order=name`,
      {
        body: [
          { app_id, name: "key", type: "secret" },
          { app_id, name: "zone", type: "string" },
        ],
        headers: {
          Prefer: "return=representation,resolution=merge-duplicates",
        },
      },
    );
    expect([upsert.status, sorted(upsert.json)]).toEqual([
      200,
      [
        { name: "key", type: "secret", default_value: null },
        { name: "zone", type: "string", default_value: "plain" },
      ],
    ]);
    const left = await v4.get(`${values}?select=name,value`);
    expect(left.json).toEqual([{ name: "zone", value: "hush" }]);
  });

  it("[V4-42] stores no default of a secret, whether sent with it or there before", async () => {
    const v4 = await serveV4(database);
    const app_id = await withApp(v4);
    const shown = "?select=name,default_value";
    const secret = { app_id, name: "a", type: "secret", default_value: "hush" };
    expect(await v4.make(`${settings}${shown}`, secret)).toEqual([
      { name: "a", default_value: null },
    ]);
    await v4.make(settings, { app_id, name: "b", default_value: "hush" });
    for (const [name, body] of [
      ["a", { default_value: "hush" }],
      ["b", { type: "secret" }],
    ] as const) {
      const patched = await v4.request(
        "PATCH",
        `${settings}${shown}&app_id=eq.${app_id}&name=eq.${name}`,
        { body, headers: rows },
      );
      expect(patched.json).toEqual([{ name, default_value: null }]);
    }
  });
});

function sorted(all: readonly { readonly name: string }[]): unknown {
  return [...all].sort((a, b) => a.name.localeCompare(b.name));
}
