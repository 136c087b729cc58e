// Sessions of browsers: how long they last, how many there are, and the token or password they came from.

import { describe, expect, it } from "vitest";
import { createSessions } from "../../../server/player/sign-in-sessions.ts";

const hourMs = 3_600_000;

function sessionsAt() {
  const tokens = new Set(["token"]);
  let password: string | null = null;
  let moment = 0;
  const sessions = createSessions({
    monotonic: () => moment,
    hasCredential: (id) => id === password || tokens.has(id),
    passwordId: () => password,
  });
  return {
    sessions,
    tokens,
    pass: (ms: number) => {
      moment += ms;
    },
    setPassword: (id: string | null) => {
      password = id;
    },
    isIn: (secret: string) => sessions.find(secret) !== null,
  };
}

describe("a session", () => {
  it("[V2-773] ends after 12 hours without a request", () => {
    const { sessions, pass, isIn } = sessionsAt();
    const secret = sessions.begin("token");
    expect(secret).toMatch(/^[\w-]{43}$/);
    pass(12 * hourMs - 1);
    const session = sessions.find(secret);
    expect(session?.credentialId).toBe("token");
    pass(12 * hourMs - 1);
    expect(session && sessions.isOpen(session)).toBe(true);
    pass(1);
    expect(session && sessions.isOpen(session)).toBe(false);
    expect(isIn(secret)).toBe(false);
  });

  it("[V2-773] ends after 7 days, however busy", () => {
    const { sessions, pass, isIn } = sessionsAt();
    const secret = sessions.begin("token");
    for (let hours = 1; hours < 7 * 24; hours += 1) {
      pass(hourMs);
      expect([hours, isIn(secret)]).toEqual([hours, true]);
    }
    pass(hourMs);
    expect(isIn(secret)).toBe(false);
  });

  it("[V2-785] of a phone ends after 24 hours, used or not", () => {
    const { sessions, pass, isIn } = sessionsAt();
    const [idle, busy] = [true, true].map((isPhone) =>
      sessions.begin("token", isPhone),
    );
    pass(24 * hourMs - 1);
    expect([isIn(idle ?? ""), isIn(busy ?? "")]).toEqual([true, true]);
    pass(1);
    expect([isIn(idle ?? ""), isIn(busy ?? "")]).toEqual([false, false]);
  });

  it("[V2-773] is one of 200 at most: the least recently used one ends", () => {
    const { sessions, isIn } = sessionsAt();
    const [first, second] = [sessions.begin("token"), sessions.begin("token")];
    for (let count = 2; count < 200; count += 1) sessions.begin("token");
    expect(isIn(first)).toBe(true);
    sessions.begin("token");
    expect([isIn(first), isIn(second)]).toEqual([true, false]);
  });

  it("[V2-774] ends with its token, permanently", () => {
    const { sessions, tokens, isIn } = sessionsAt();
    const secret = sessions.begin("token");
    const session = sessions.find(secret);
    tokens.delete("token");
    expect(session && sessions.isOpen(session)).toBe(false);
    expect(isIn(secret)).toBe(false);
    tokens.add("token");
    expect(isIn(secret)).toBe(false);
  });

  it("[V2-781] ends when a password is set, changed or removed, wherever it came from", () => {
    const { sessions, setPassword, isIn } = sessionsAt();
    for (const password of ["first", "second", null]) {
      const secret = sessions.begin("token");
      expect(isIn(secret)).toBe(true);
      setPassword(password);
      expect(isIn(secret)).toBe(false);
      if (password !== null) sessions.begin(password);
    }
    setPassword("second");
    const secret = sessions.begin("second");
    expect(isIn(secret)).toBe(true);
    setPassword(null);
    expect(isIn(secret)).toBe(false);
  });

  it("[V2-774] ends alone, or with all others", () => {
    const { sessions, isIn } = sessionsAt();
    const secrets = [1, 2, 3].map(() => sessions.begin("token"));
    sessions.end(secrets[1] ?? "");
    expect(secrets.map(isIn)).toEqual([true, false, true]);
    sessions.endAll();
    expect(secrets.map(isIn)).toEqual([false, false, false]);
    expect(isIn("")).toBe(false);
  });
});
