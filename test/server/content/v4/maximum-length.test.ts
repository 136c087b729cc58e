// Texts of the maximum length that cannot be compressed: stored, and sorted.

import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type Answer } from "../../../support/content/serve-v4.ts";

interface Titled {
  readonly title: string;
}

function statusText({ status, json }: Answer): string {
  return `${status} ${json?.code ?? ""}`.trim();
}

eachDatabase((database) => {
  it("[V4-17] stores values of the maximum length, and sorts by them, also where they cannot be compressed", async () => {
    const v4 = await serveV4(database);
    const rightly = (length: number) =>
      randomBytes(length).toString("base64").slice(0, length);
    const same = rightly(4095);
    const titles = [`${same}b`, `${same}a`, rightly(4096)];
    for (const path of ["/assets", "/asset-groups"]) {
      const body = titles.map((title) => ({ title }));
      expect(statusText(await v4.request("POST", path, { body }))).toBe("201");
      for (const [order, expected] of [
        ["title", titles.toSorted()],
        ["title.desc", titles.toSorted().reverse()],
      ] as const) {
        const { json } = await v4.get(`${path}?select=title&order=${order}`);
        expect((json as Titled[]).map(({ title }) => title)).toEqual(expected);
      }
    }
    const [{ id: app_id }] = await v4.make("/edge-apps", {
      name: rightly(4096),
    });
    for (const [length, expected] of [
      [500, "201"],
      [501, "400 22001"],
    ] as const) {
      // Three bytes each.
      const key = String.fromCodePoint(
        ...[...randomBytes(length)].map((byte) => 0x4e00 + byte),
      );
      const setting = { app_id, name: key, type: "string" };
      const channel = { app_id, channel: key };
      expect([
        statusText(
          await v4.request("POST", "/edge-apps/settings", { body: setting }),
        ),
        statusText(
          await v4.request("POST", "/edge-apps/channels", { body: channel }),
        ),
      ]).toEqual([expected, expected]);
    }
  });
});
