// Validation of JSON bodies against the contract: messages of our own, by field name.

import { describe, expect, it } from "vitest";
import { jsonFrom, judged } from "../../../../server/content/http/json-body.ts";
import { parseBody } from "../../../../server/content/v4/parse/body.ts";
import { deployV3 } from "../../../../server/contract/v3/v3-edge-apps.ts";
import { Failure } from "../../../../server/core/failure.ts";

function complaintsAbout(manifest: unknown): unknown {
  try {
    return judged(deployV3, { manifest, file_tree: {} });
  } catch (error) {
    return error instanceof Failure ? error.fields : error;
  }
}

describe("a JSON body", () => {
  it("[V4-288] is rejected as soon as it has more values than allowed, not after it was read to its end", () => {
    // After the last allowed value it is not JSON any more, which is never read.
    const text = `[${"{},".repeat(200_000)}never`;
    expect(() => jsonFrom(text)).toThrow(/more than 200000 values/);
    expect(() => parseBody("application/json", Buffer.from(text))).toThrow(
      "The request is too complex",
    );
    expect(() => jsonFrom(`[${"{},".repeat(199_998)}{}]`)).not.toThrow();
  });

  it("[V4-288] is rejected where its short numbers are long ones when expanded", () => {
    const many = (count: number): string => `[${"1e-900,".repeat(count)}never`;
    expect(() => jsonFrom(many(150_000))).toThrow(/numbers.*too long/);
    expect(() => jsonFrom(many(1000))).toThrow(/A value is missing/);
  });
});

describe("the body of a deployment", () => {
  it.each([
    [undefined, "manifest", "manifest is required"],
    [5, "manifest", "manifest must be an object; got 5"],
    [{ id: 5 }, "manifest.id", "manifest.id must be a string; got 5"],
    [
      { syntax: "v9" },
      "manifest.syntax",
      'manifest.syntax must be "manifest_v1"; got "v9"',
    ],
    [
      { categories: {} },
      "manifest.categories",
      "manifest.categories must be an array; got an object",
    ],
    [
      { categories: Array.from({ length: 101 }, () => "a") },
      ...[
        "manifest.categories",
        "manifest.categories must have at most 100 elements",
      ],
    ],
    [
      { categories: ["a".repeat(201)] },
      ...[
        "manifest.categories.0",
        "manifest.categories.0 must have at most 200 characters",
      ],
    ],
    [
      { auth: { type: "other" } },
      ...[
        "manifest.auth.type",
        'manifest.auth.type must be "basic" or "bearer"; got "other"',
      ],
    ],
    [
      { entrypoint: {} },
      "manifest.entrypoint.type",
      "manifest.entrypoint.type is required",
    ],
    [
      { settings: [] },
      "manifest.settings",
      "manifest.settings must be an object; got an array",
    ],
    [
      { settings: { a: 1 } },
      "manifest.settings.a",
      "manifest.settings.a must be an object; got 1",
    ],
    [
      { ready_signal: "perhaps" },
      ...[
        "manifest.ready_signal",
        'manifest.ready_signal must be true or false; got "perhaps"',
      ],
    ],
  ])(
    "[V3-4] [V3-55] %j is rejected with a message of our own",
    (manifest, ...reported) => {
      const [field = "", sentence] = reported as string[];
      expect(complaintsAbout(manifest)).toEqual({ [field]: [sentence] });
    },
  );

  it("[V3-55] may have null for every optional field", () => {
    const setting = { type: "string" as const };
    const nothing = {
      ...{ default_value: null, title: null, optional: null },
      ...{ help_text: null, is_global: null },
    };
    const { manifest, delete_missing_settings } = judged(deployV3, {
      manifest: {
        ...{ syntax: null, id: null, user_version: null, icon: null },
        ...{ categories: null, ready_signal: null, entrypoint: null },
        auth: { auth_type: null, type: null, global: null },
        settings: { a: { ...setting, ...nothing } },
      },
      file_tree: {},
      delete_missing_settings: null,
    });
    expect(delete_missing_settings).toBe(false);
    expect(manifest).toMatchObject({ ready_signal: false });
    expect(manifest.auth).toMatchObject({ global: false });
    expect(manifest.settings["a"]).toMatchObject({
      ...{ ...setting, optional: false, help_text: "", is_global: false },
    });
    expect(complaintsAbout({ settings: null, auth: null })).toMatchObject({
      manifest: { settings: {}, auth: null },
    });
  });
});
