// Predicates of version 3: validation, and evaluation at a time in a time zone.

import { expect, it } from "vitest";
import {
  evaluationV3,
  validationV3,
} from "../../../../server/contract/v3/v3.ts";
import { eachV3 } from "../../../support/content/each-v3.ts";

eachV3((service) => {
  it("[V3-50] validation returns whether a text is a predicate, and where it is invalid", async () => {
    const client = await service.client();
    const validate = async (predicate: unknown) => {
      const answer = await client.call("POST", "/predicate-validation", {
        predicate,
      });
      return { status: answer.status, ...validationV3.parse(answer.json) };
    };
    expect(await validate("TRUE AND ($DATE = 1783123200000)")).toEqual({
      ...{ status: 201, valid: true, errors: [] },
    });
    expect(await validate("TRUE AND OR FALSE")).toEqual({
      ...{ status: 201, valid: false },
      errors: [{ message: expect.any(String) as string, position: 9 }],
    });
    expect((await validate("")).valid).toBe(false);
    expect((await validate("(".repeat(100_000))).valid).toBe(false);
    for (const body of [{}, { predicate: null }, { predicate: 5 }]) {
      const answer = await client.call("POST", "/predicate-validation/", body);
      expect([answer.status, Object.keys(answer.json as object)]).toEqual([
        ...[400, ["predicate"]],
      ]);
    }
  });

  it("[V3-51] evaluation takes a time and a time zone", async () => {
    const client = await service.client();
    const evaluate = async (body: object) => {
      const answer = await client.call("POST", "/predicate/evaluate", body);
      expect(answer.status).toBe(201);
      return evaluationV3.parse(answer.json).result;
    };
    const office = "$TIME BETWEEN {28800000, 64800000}";
    const at = "2026-07-01T06:00:00Z";
    const timezone = "Europe/Berlin";
    expect(await evaluate({ predicate: office, at, timezone })).toBe(true);
    expect(await evaluate({ predicate: office, at })).toBe(false);
    const ms = { predicate: office, at: Date.parse(at), timezone };
    expect(await evaluate(ms)).toBe(true);
    expect(await evaluate({ predicate: "TRUE" })).toBe(true);
    const now = `$DATE >= ${Date.now() - 60_001} AND $DATE < ${Date.now() + 60_001}`;
    expect(await evaluate({ predicate: now })).toBe(true);
    const offset = "2026-07-01T08:00:00+02:00";
    expect(await evaluate({ predicate: office, at: offset })).toBe(false);
  });

  it.each([
    [{}, "predicate"],
    [{ predicate: "2 = $WEEKDAY" }, "predicate"],
    [{ predicate: "TRUE", at: "yesterday" }, "at"],
    [{ predicate: "TRUE", at: "2026-07-01T06:00:00" }, "at"],
    [{ predicate: "TRUE", at: 1.5 }, "at"],
    [{ predicate: "TRUE", at: 1e300 }, "at"],
    [{ predicate: "TRUE", timezone: "Mars/Olympus" }, "timezone"],
    [{ predicate: "TRUE", timezone: 5 }, "timezone"],
  ])("[V3-51] rejects %j", async (body, field) => {
    const client = await service.client();
    const answer = await client.call("POST", "/predicate/evaluate", body);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [field]],
    ]);
  });
});
