// The OpenAPI descriptions of all interfaces are valid, and complete in themselves.

import { Validator } from "@seriousme/openapi-schema-validator";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogues } from "../../../server/content/catalogue.ts";
import { openApiV4 } from "../../../server/content/v4/respond/openapi.ts";
import type { OpenApi } from "../../../server/contract/openapi.ts";
import { openApiV2 } from "../../../server/contract/v2/v2-openapi.ts";
import { accessOfRoutesV3 } from "../../../server/contract/v3/operations/v3-operation-roles.ts";
import { openApiV3 } from "../../../server/contract/v3/operations/v3-openapi.ts";
import {
  referencesIn,
  schemaViolationOf,
} from "../../support/http/openapi-schema.ts";

const v3 = openApiV3("/api/v3");
const descriptions: readonly (readonly [string, OpenApi])[] = [
  ["[V2-810] version 2", openApiV2()],
  ["[V3-177] version 3", v3],
  ["[V4-398] version 4.0", openApiV4(catalogues["4.0"], "/api/v4")],
  ["[V4-398] version 4.1", openApiV4(catalogues["4.1"], "/api/v4.1")],
];

describe.each(descriptions)("%s", (_name, api) => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(copyOf(api))).toEqual({
      valid: true,
    });
    expect(validator.version).toBe("3.1");
  });

  it("refers only to what it has, and names each operation once", () => {
    const references = referencesIn(api);
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const [, , kind, name] = reference.split("/");
      expect(api.components).toHaveProperty([String(kind), String(name)]);
    }
    const ids = operationsOf(api).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it("notices a description that isn't valid", async () => {
  const broken = { ...copyOf(v3), paths: { "/me": { get: 1 } } };
  expect(await new Validator().validate(broken)).toMatchObject({
    valid: false,
  });
});

describe("[V3-176] version 3", () => {
  const text = readFileSync(
    new URL("../../../server/contract/v3/v3.md", import.meta.url),
    "utf8",
  );

  it("has its paths' parameters, tags that exist, and rules that exist", () => {
    const tags = v3.tags.map(({ name }) => name);
    for (const [path, methods] of Object.entries(v3.paths))
      for (const operation of Object.values(methods)) {
        const named = (operation.parameters ?? []).filter(
          (parameter) => parameter.in === "path",
        );
        expect(named.map(({ name }) => `{${name}}`)).toEqual(
          path.match(/\{\w+\}/g) ?? [],
        );
        expect(tags).toEqual(expect.arrayContaining([...operation.tags]));
        expect(operation["x-rules"].length).toBeGreaterThan(0);
        for (const rule of operation["x-rules"])
          expect(text).toContain(`**${rule}**`);
      }
  });

  it("gives examples that fit", () => {
    for (const { operationId, requestBody } of operationsOf(v3)) {
      const { schema, example } =
        requestBody?.content["application/json"] ?? {};
      if (schema && example !== undefined)
        expect([operationId, schemaViolationOf(v3, schema, example)]).toEqual([
          operationId,
          null,
        ]);
    }
  });
});

describe("[V3-178] version 3", () => {
  it("states the role of exactly the operations that the table of roles has", () => {
    const described = Object.entries(v3.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, one]) => one["x-permission"] !== "Needs no key.")
        .map(([method]) => `${method.toUpperCase()} ${routeOf(path)}`),
    );
    const classified = Object.entries(accessOfRoutesV3).flatMap(
      ([route, methods]) =>
        Object.keys(methods).map((method) => `${method} ${route}`),
    );
    expect(described.sort()).toEqual(classified.sort());
    expect(v3.paths["/keys/"]?.["post"]).toMatchObject({
      "x-permission": "Needs at least the role admin.",
      security: [{ key: [] }, { session: [], manager: [] }],
    });
    expect(v3.paths["/account/"]?.["get"]?.security).toEqual([{ session: [] }]);
    expect(v3.paths["/sign-in/"]?.["post"]?.security).toEqual([
      { manager: [] },
    ]);
    expect(v3.paths["/screens/{id}/"]?.["patch"]?.["x-permission"]).toContain(
      "the role operator; what it affects",
    );
  });
});

function routeOf(path: string): string {
  return path.replace(/(?<=.)\/$/, "").replace(/\{(\w+)\}/g, ":$1");
}

function copyOf(api: OpenApi): Record<string, unknown> {
  return JSON.parse(JSON.stringify(api)) as Record<string, unknown>;
}

function operationsOf(api: OpenApi) {
  return Object.values(api.paths).flatMap((methods) => Object.values(methods));
}
