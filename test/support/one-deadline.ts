// Before every file of tests: what waits with vi.waitFor or vi.waitUntil has the deadline of what polls, not Vitest's second.

import { inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    readonly pollMs: number;
  }
}

type Options = Parameters<typeof vi.waitUntil>[1];

/** Never shorter; how long a test itself may take ends it in any case. */
function withDeadline(options: Options): Options {
  const given = typeof options === "number" ? { timeout: options } : options;
  const timeout = Math.max(given?.timeout ?? 0, inject("pollMs"));
  return { ...given, timeout };
}

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, withDeadline(options));
vi.waitUntil = (callback, options) =>
  waitUntil(callback, withDeadline(options));
