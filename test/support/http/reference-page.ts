// Requirements on every API reference page: complete, linked within itself, and without resources from elsewhere.

import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { OpenApi } from "../../../server/contract/openapi.ts";

export function expectComplete(page: string, api: OpenApi): void {
  for (const methods of Object.values(api.paths))
    for (const { operationId } of Object.values(methods))
      expect(page).toContain(`id="${operationId}"`);
  for (const shape of Object.keys(api.components.schemas))
    expect(page).toContain(`id="shape-${shape}"`);
  const anchors = [...page.matchAll(/href="#([^"]+)"/g)];
  expect(anchors.length).toBeGreaterThan(30);
  for (const [, anchor] of anchors) expect(page).toContain(`id="${anchor}"`);
}

/** Returns the targets of the page's links, besides its own anchors. */
export function expectSelfContained(
  page: string,
  headers: Headers,
): readonly (string | undefined)[] {
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  for (const tag of ["style", "script"]) {
    const parts = page.split(`<${tag}`);
    expect(parts).toHaveLength(2);
    const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? "";
    const hash = createHash("sha256").update(text).digest("base64");
    expect(policy).toContain(`${tag}-src 'sha256-${hash}';`);
  }
  expect(page).not.toMatch(/\s(src|style|on\w+)=|url\(|@import/);
  return [...page.matchAll(/href="([^"#][^"]*)"/g)].map(([, to]) => to);
}
