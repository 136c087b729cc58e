// The window of the manager without a browser: English, nothing stored, and operations that a test answers.

import { vi } from "vitest";

export function stubWindow(operate: (...call: never[]) => unknown): void {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", {
    ...{ localStorage: { getItem: () => null }, manager: { operate } },
  });
}
