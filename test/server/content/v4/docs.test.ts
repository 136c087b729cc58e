// The root of a prefix documents the interface, for programs and for people.

import { expect, it } from "vitest";
import { catalogues } from "../../../../server/content/catalogue.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";
import {
  expectSelfContained,
  expectComplete,
} from "../../../support/http/reference-page.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";

eachDatabase((database) => {
  it("[V4-45] describes every collection, method and column of its version", async () => {
    const v4 = await serveV4(database);
    for (const [prefix, version] of [
      ["/v4", "4.0"],
      ["/api/v4.1/", "4.1"],
    ] as const) {
      const { status, json, headers } = await v4.get(prefix);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toContain("application/openapi+json");
      expect(json.info.version).toBe(version);
      for (const table of catalogues[version].tables.values()) {
        if (table.path === null) continue;
        const methods = Object.keys(json.paths[`/${table.path}`]);
        expect(methods).toEqual(
          table.methods.map((name) => name.toLowerCase()),
        );
        const { properties } = json.components.schemas[table.name];
        const columns = [...table.columns.values()];
        const namesOf = (some: typeof columns) => some.map(({ name }) => name);
        expect(Object.keys(properties)).toEqual(
          namesOf(columns.filter(({ isShown }) => isShown)),
        );
        if (!table.methods.includes("POST")) continue;
        const body = json.components.schemas[`${table.name}.insert`];
        expect(Object.keys(body.properties)).toEqual(
          namesOf(columns.filter(({ isInserted }) => isInserted)),
        );
      }
      const copying = json.paths["/edge-apps/copy-assets"];
      expect(copying.post["x-rules"]).toEqual(["V4-42", "V4-280"]);
      const assets = json.paths["/assets"];
      const filters = assets.patch.parameters.filter(
        (each: any) => each.required,
      );
      expect(filters.map(({ name }: any) => name)).toEqual(["id"]);
      expect(
        json.components.schemas["assets.update"].properties.zoom_level !==
          undefined,
      ).toBe(version === "4.1");
    }
  });

  it("[V4-45] serves people a page that loads nothing from elsewhere", async () => {
    const v4 = await serveV4(database);
    const Accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const page = await v4.get("/v4.1/", { Accept });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(expectSelfContained(page.text, page.headers)).toEqual([]);
    expectComplete(page.text, (await v4.get("/v4.1/")).json);
    expect(page.text).toContain("playlist-items");
    expect(page.text).toContain("POST</span> <code>/edge-apps/copy-assets<");
    // Commands that can be pasted: with the key, and with the filter without which a change is rejected.
    const command = /curl -X PATCH (\S+\/v4\.1\/assets\S*) -H (.*?) -d/.exec(
      page.text.replaceAll("&#39;", "'"),
    );
    expect(command?.[1]).toContain("?id=eq.");
    expect(command?.[2]).toContain("'Authorization: Token KEY'");
    const post = await v4.request("POST", "/v4.1", { body: {} });
    expect([post.status, post.json.code]).toEqual([405, "PGRST117"]);
  });
});
