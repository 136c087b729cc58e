// Deployments of an app whose revisions were deleted through version 4.

import { expect, it } from "vitest";
import { eachV3 } from "../../../support/content/each-v3.ts";

eachV3((service) => {
  it("[V4-48] a deployment never reuses a deleted revision's number", async () => {
    const client = await service.client();
    const [app] = await client.add("/v4/edge-apps?select=id", { name: "App" });
    const deploy = async (description: string) => {
      const path = `/v3/edge-apps/${app?.id ?? ""}/deploy`;
      const manifest = { syntax: "manifest_v1", description };
      return (await client.call("POST", path, { manifest, file_tree: {} }))
        .json;
    };
    for (const revision of [1, 2, 3])
      expect(await deploy(`try ${revision}`)).toMatchObject({ revision });
    const { status } = await client.request(
      `/v4.1/edge-apps/versions?app_id=eq.${app?.id ?? ""}&revision=in.(2,3)`,
      { method: "DELETE" },
    );
    expect(status).toBe(204);
    expect(await deploy("try 4")).toMatchObject({ revision: 4 });
  });

  it("[V4-48] a deployment creates a revision above every number that the app's files have", async () => {
    const client = await service.client();
    const [app] = await client.add("/v4/edge-apps?select=id", { name: "App" });
    const app_id = app?.id ?? "";
    const deploy = async (description: string) => {
      const { json } = await client.call(
        "POST",
        `/v3/edge-apps/${app_id}/deploy`,
        {
          manifest: { syntax: "manifest_v1", description },
          file_tree: {},
        },
      );
      return json;
    };
    expect(await deploy("one")).toMatchObject({ revision: 1 });
    expect(await deploy("two")).toMatchObject({ revision: 2 });
    const { status } = await client.request(
      `/v4.1/edge-apps/versions?app_id=eq.${app_id}&revision=eq.2`,
      { method: "DELETE" },
    );
    expect(status).toBe(204);
    expect(
      await client.rows("/v4/edge-apps/channels?select=app_revision"),
    ).toEqual([{ app_revision: null }]);
    await client.upload(Buffer.from("old"), {
      ...{ title: "old.js", app_id, app_revision: "2" },
    });
    expect(await deploy("two")).toMatchObject({ revision: 3, created: true });
    await client.upload(Buffer.from("huge"), {
      ...{ title: "huge.js", app_id, app_revision: "9223372036854775807" },
    });
    expect(await deploy("four")).toMatchObject({
      "manifest.id": expect.anything(),
    });
  });
});
