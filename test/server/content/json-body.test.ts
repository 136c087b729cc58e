// Bodies judged by a contract: in our own sentences, by the name of the field.

import { describe, expect, it } from "vitest";
import {
  jsonFrom,
  jsonObjectFrom,
  judged,
  readLargeBodies,
} from "../../../server/content/json-body.ts";
import { parseBody } from "../../../server/content/v4/body.ts";
import { deployV3 } from "../../../server/contract/v3-edge-apps.ts";
import { Failure } from "../../../server/core/failure.ts";
import { serveExpress } from "../../support/serve-express.ts";

/** Nobody reads more of a request or writes to an answer here. */
type Handled = Parameters<typeof readLargeBodies>;

function complaintsAbout(manifest: unknown): unknown {
  try {
    return judged(deployV3, { manifest, file_tree: {} });
  } catch (error) {
    return error instanceof Failure ? error.fields : error;
  }
}

describe("a body of JSON", () => {
  it("[V4-288] is refused as soon as it has more values than one takes, not when it was read to its end", () => {
    // Behind the last value taken it is no JSON any more, which nobody gets to see.
    const text = `[${"{},".repeat(200_000)}never`;
    expect(() => jsonFrom(text)).toThrow(/more than 200000 values/);
    expect(() => parseBody("application/json", Buffer.from(text))).toThrow(
      "The request is too complex",
    );
    expect(() => jsonFrom(`[${"{},".repeat(199_998)}{}]`)).not.toThrow();
  });

  it("[V4-288] is refused where its short numbers are long ones, spelled out", () => {
    const many = (count: number): string => `[${"1e-900,".repeat(count)}never`;
    expect(() => jsonFrom(many(150_000))).toThrow(/numbers.*too long/);
    expect(() => jsonFrom(many(1000))).toThrow(/A value is missing/);
  });

  it("[V4-288] lets everybody else be answered between two large ones", async () => {
    const order: string[] = [];
    const read = (name: string, size: number) =>
      new Promise<void>((resolve) => {
        const request = {
          ...{
            body: new Uint8Array(size),
            headers: { "content-type": "text/csv" },
          },
        } as unknown as Handled[0];
        void readLargeBodies(request, {} as Handled[1], () => {
          order.push(name);
          setImmediate(() => order.push(`others after ${name}`));
          resolve();
        });
      });
    const large = 1024 * 1024;
    await Promise.all([
      ...[read("first", large), read("second", large)],
      ...[read("small", 10), read("third", large)],
    ]);
    expect(order).toEqual([
      ...["small", "first", "others after small", "others after first"],
      ...["second", "others after second", "third"],
    ]);
  });
});

describe("a large body", () => {
  const mostBytes = 16 * 1024 * 1024;
  /** As much as there may be of it: values, letters, blanks, escapes. */
  const bodies: Readonly<Record<string, string>> = {
    "values without end": `{"a":[${"{},".repeat(mostBytes / 3 - 10)}{}]}`,
    "all its values": `{"a":[${"{},".repeat(199_990)}{}],"b":"${"x".repeat(15 * 1024 * 1024)}"}`,
    blanks: `{"a":${" ".repeat(mostBytes - 100)}1}`,
    escapes: `{"a":"${"\\u00e9".repeat(mostBytes / 6 - 10)}"}`,
  };

  it.each(Object.keys(bodies))(
    "[V4-288] lets everybody else be answered while it is read: %s",
    async (name) => {
      const progress = { isReading: false, isRead: false };
      let answered = 0;
      const app: typeof readLargeBodies = (request, response, next) => {
        if (request.method === "GET") {
          if (progress.isReading) answered += 1;
          response.end();
          return;
        }
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.once("end", () => {
          request.body = Buffer.concat(chunks);
          progress.isReading = true;
          void readLargeBodies(request, response, () => {
            try {
              jsonObjectFrom(request.body as Uint8Array);
            } catch {
              response.status(400);
            }
            Object.assign(progress, { isReading: false, isRead: true });
            response.end();
          });
        });
        request.once("error", next);
      };
      const address = await serveExpress(app, () => null);
      const posted = fetch(address, {
        ...{ method: "POST", body: bodies[name] ?? "" },
        headers: { "Content-Type": "application/json" },
      });
      while (!progress.isRead) await (await fetch(`${address}/health`)).text();
      await posted;
      expect(answered).toBeGreaterThan(3);
    },
  );
});

describe("the body of a deployment", () => {
  it.each([
    [undefined, "manifest", "This field is required."],
    [5, "manifest", "This must be an object."],
    [{ id: 5 }, "manifest.id", "This must be a text."],
    [{ syntax: "v9" }, "manifest.syntax", 'This must be "manifest_v1".'],
    [{ categories: {} }, "manifest.categories", "This must be a list."],
    [
      { categories: Array.from({ length: 101 }, () => "a") },
      ...["manifest.categories", "This has more than 100 elements."],
    ],
    [
      { categories: ["a".repeat(201)] },
      ...["manifest.categories.0", "This has more than 200 characters."],
    ],
    [
      { auth: { type: "other" } },
      ...["manifest.auth.type", 'This must be "basic" or "bearer".'],
    ],
    [{ entrypoint: {} }, "manifest.entrypoint.type", "This field is required."],
    [{ settings: [] }, "manifest.settings", "This must be an object."],
    [{ settings: { a: 1 } }, "manifest.settings.a", "This must be an object."],
    [
      { ready_signal: "perhaps" },
      ...["manifest.ready_signal", "This must be true or false."],
    ],
  ])("[V3-4] [V3-55] %j is refused in our own words", (manifest, ...said) => {
    const [field = "", sentence] = said as string[];
    expect(complaintsAbout(manifest)).toEqual({ [field]: [sentence] });
  });

  it("[V3-55] may have null for whatever may be left out", () => {
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
