// Set-up of every test file: gives vi.waitFor and vi.waitUntil the deadline of expect.poll in place of Vitest's second.

import { vi } from "vitest";
import { waitDeadlineMs } from "../../build/vitest/wait-deadline.ts";

type Options = Parameters<typeof vi.waitUntil>[1];

/** Never shorter; the timeout of the test ends it in any case. */
function withDeadline(options: Options): Options {
  const given = typeof options === "number" ? { timeout: options } : options;
  const timeout = Math.max(given?.timeout ?? 0, waitDeadlineMs);
  return { ...given, timeout };
}

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, withDeadline(options));
vi.waitUntil = (callback, options) =>
  waitUntil(callback, withDeadline(options));
