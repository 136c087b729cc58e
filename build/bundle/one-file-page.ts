// Inlines a page's script and styles into its HTML, so that one request loads it; the policy lists their hashes.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

const scriptTag = '<script src="main.js" defer></script>';
const styleTag = '<link rel="stylesheet" href="main.css" />';

/** For the stage, which everything on the screen waits for. */
export function oneFilePage(dir: string): Plugin {
  return {
    name: "one-file page",
    setup: ({ onEnd }) => {
      onEnd(({ errors }) => {
        if (errors.length === 0) putTogether(dir);
      });
    },
  };
}

function putTogether(dir: string): void {
  const read = (name: string): string => readFileSync(join(dir, name), "utf8");
  // In HTML the text "</script" would end the script wherever it occurs.
  const script = read("main.js").replaceAll("</script", "<\\/script");
  const style = read("main.css");
  const page = read("index.html");
  for (const part of [
    scriptTag,
    styleTag,
    "script-src 'self'",
    "style-src 'self'",
  ])
    if (!page.includes(part))
      throw new Error(`${dir}/index.html lacks: ${part}`);
  const whole = page
    // 'self' as well: for the chunks it loads lazily.
    .replace("script-src 'self'", () => `script-src ${hashOf(script)} 'self'`)
    .replace("style-src 'self'", () => `style-src ${hashOf(style)}`)
    .replace(styleTag, () => `<style>${style}</style>`)
    .replace(scriptTag, "")
    .replace("</body>", () => `<script>${script}</script></body>`);
  writeFileSync(join(dir, "index.html"), whole);
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
