// The description of version 2: whole, sound, and never promising more than is taken.

import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assetLimits } from "../../../../server/core/asset-limits.ts";
import { openApiV2 } from "../../../../server/contract/v2/v2-openapi.ts";
import { settingFields } from "../../../../server/contract/v2/v2-settings.ts";
import {
  readBoolean,
  readDuration,
  readMoment,
  readOneOf,
  readPlayOrder,
  readText,
} from "../../../../server/contract/v2/v2-values.ts";
import {
  createAssetV2,
  orderV2,
  updateAssetV2,
} from "../../../../server/contract/v2/v2.ts";
import {
  schemaViolationOf,
  referencesIn,
} from "../../../support/http/openapi-schema.ts";

const api = openApiV2();
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, operation })),
);
const rulesFolder = new URL(
  "../../../../server/contract/v2/rules/",
  import.meta.url,
);
const rules = readdirSync(rulesFolder)
  .flatMap((name) => [
    ...readFileSync(new URL(name, rulesFolder), "utf8").matchAll(
      /(?<=\*\*)V2-\d+(?=\*\*)/g,
    ),
  ])
  .map(([rule]) => rule);

describe("the description", () => {
  it("[V2-91] is JSON, has the thirteen operations of the specification and names each once", () => {
    expect(JSON.parse(JSON.stringify(api))).toEqual(api);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      Object.entries(api.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      ),
    ).toEqual(
      expect.arrayContaining([
        "get /api/v2/assets",
        "post /api/v2/assets",
        "get /api/v2/assets/{asset_id}",
        "patch /api/v2/assets/{asset_id}",
        "delete /api/v2/assets/{asset_id}",
        "get /api/v2/assets/{asset_id}/content",
        "get /api/v2/assets/control/{command}",
        "post /api/v2/assets/order",
        "post /api/v2/backup",
        "post /api/v2/file_asset",
        "post /api/v2/recover",
        "post /api/v2/reboot",
        "post /api/v2/shutdown",
      ]),
    );
  });

  it("points at nothing that is not there", () => {
    for (const reference of referencesIn(api)) {
      const [, place, kind, name] = reference.split("/");
      expect([place, kind]).toEqual(["components", expect.any(String)]);
      const known = kind === "responses" ? "responses" : "schemas";
      expect(api.components[known]).toHaveProperty(String(name));
    }
    const tags = api.tags.map(({ name }) => name);
    for (const { operation } of operations)
      expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
  });

  it.each(operations)(
    "$operation.operationId has its path's parameters and rules that exist",
    ({ path, operation }) => {
      const named = (operation.parameters ?? []).filter(
        (parameter) => parameter.in === "path",
      );
      expect(named.map(({ name }) => `{${name}}`)).toEqual(
        path.match(/\{\w+\}/g) ?? [],
      );
      expect(operation["x-rules"].length).toBeGreaterThan(0);
      expect(rules).toEqual(expect.arrayContaining([...operation["x-rules"]]));
    },
  );

  it("gives examples that fit", () => {
    for (const { operation } of operations) {
      const content = operation.requestBody?.content["application/json"];
      if (content?.schema)
        expect(
          schemaViolationOf(api, content.schema, content.example),
        ).toBeNull();
      for (const { schema, example } of operation.parameters ?? [])
        if (schema.type === "string")
          expect(schemaViolationOf(api, schema, example)).toBeNull();
    }
  });

  it("[V2-105] [V2-548] has the limit of metadata that applies", () => {
    const { properties } = api.components.schemas["CreateAsset"] ?? {};
    expect(properties).toHaveProperty(
      "metadata.description",
      expect.stringContaining(`at most ${assetLimits.metadataLetters} char`),
    );
  });

  it("[V2-755] has the parameters of the queries, and which of them are required", () => {
    const queryOf = (path: string, method = "get") =>
      (api.paths[`/api/v2/${path}`]?.[method]?.parameters ?? []).filter(
        (parameter) => parameter.in === "query",
      );
    expect(queryOf("activity").map(({ name }) => name)).toEqual([
      ...["kind", "from", "to", "actor", "search", "before", "limit", "format"],
    ]);
    expect(queryOf("activity").map(({ schema }) => schema)).toMatchObject([
      { enum: expect.arrayContaining(["fault"]) as string[] },
      { type: "string", format: "date-time" },
      { type: "string", format: "date-time" },
      { enum: expect.arrayContaining(["command-line"]) as string[] },
      { type: "string", maxLength: 200 },
      { type: "integer", minimum: 0 },
      { type: "integer", minimum: 1, maximum: 10_000 },
      { enum: ["json", "csv"] },
    ]);
    expect(queryOf("sync/local-changes", "delete")).toMatchObject([
      {
        ...{ name: "account_id", required: true, example: "3f9a1c2e" },
        description: "The connection whose local changes are discarded.",
      },
    ]);
    expect(queryOf("sync/accounts/{id}", "delete")).toMatchObject([
      { name: "keep", required: false, schema: { type: "boolean" } },
    ]);
  });

  it("[V2-90] has the fields of the bodies, and which of them are required", () => {
    const { CreateAsset, UpdateAsset, Order } = api.components.schemas;
    expect(CreateAsset).toMatchObject({
      required: requiredOf(createAssetV2),
    });
    expect(UpdateAsset).toMatchObject({
      required: expect.arrayContaining(requiredOf(updateAssetV2)) as string[],
    });
    expect(Object.keys(Order?.properties ?? {})).toEqual(
      Object.keys(orderV2.shape),
    );
    expect(
      Object.keys(api.components.schemas.ChangeSettings?.properties ?? {}),
    ).toEqual(Object.values(settingFields).map(({ wireName }) => wireName));
  });
});

function requiredOf(schema: z.ZodType): string[] {
  const { error } = schema.safeParse({});
  return (error?.issues ?? []).map(({ path }) => String(path[0]));
}

describe("[V2-90] a reader's schema", () => {
  const raw = fc.oneof(
    fc.jsonValue(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom("true", "no", "2026-01-31T09:30:00Z", 90, "hdmi", "local"),
    fc
      .date({
        min: new Date("0001-01-01"),
        max: new Date("9999-12-31"),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString()),
  );
  it.each([
    { name: "a boolean", read: readBoolean },
    { name: "a duration", read: readDuration },
    { name: "a moment", read: readMoment },
    { name: "a play order", read: readPlayOrder },
    {
      name: "an enum",
      read: readOneOf<string | number>("hdmi", "local", 90),
    },
  ])("allows nothing for $name that is refused", ({ read }) => {
    const allows = z.fromJSONSchema(read.schema);
    fc.assert(
      fc.property(raw, (value) => {
        if (allows.safeParse(value).success)
          expect(read(value)).toHaveProperty("value");
      }),
    );
  });

  it("refuses of text no more than blanks and what is no text at all", () => {
    const { schema } = readText(3);
    const allows = z.fromJSONSchema(schema);
    expect(
      ["abc", "abcd", "", 7].map((value) => allows.safeParse(value).success),
    ).toEqual([true, false, false, false]);
  });

  it("allows every setting's default", () => {
    for (const { read, byDefault } of Object.values(settingFields)) {
      expect(z.fromJSONSchema(read.schema).safeParse(byDefault).success).toBe(
        true,
      );
      expect(read(byDefault)).toEqual({ value: byDefault });
    }
  });
});
