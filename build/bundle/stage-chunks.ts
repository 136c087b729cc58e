// Chunks that the stage loads for the first PDF or stream: two bundles, their workers, and the assets for rendering PDFs.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";

/** Loaded by `import("./late/<name>.ts")`; separate files next to the page. */
const names = ["hls", "pdf"];

/** In the page's own bundle: leaves such an import to the browser. */
export const leaveLateOnes: Plugin = {
  name: "leave late ones",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/late\/\w+\.ts$/ }, ({ path, kind }) => {
      const name = /(\w+)\.ts$/.exec(path)?.[1] ?? "";
      return kind === "dynamic-import" && names.includes(name)
        ? { path: `./${name}.js`, external: true }
        : undefined;
    });
  },
};

export function stageChunks(
  shared: BuildOptions,
  target: string,
): BuildOptions {
  const root = shared.absWorkingDir ?? ".";
  return {
    ...shared,
    entryPoints: Object.fromEntries(
      names.map((name) => [name, `renderer/playback/late/${name}.ts`]),
    ),
    outdir: "dist/renderer/playback",
    platform: "browser",
    format: "esm",
    target,
    minify: true,
    plugins: [copyPageAssets(root)],
  };
}

const pdfFolder = "pdf";
/** Of the package's folder, only what decodes images and converts colours; scripts inside PDFs are never run. */
const wasm = ["jbig2.wasm", "openjpeg.wasm", "qcms_bg.wasm"];

function copyPageAssets(root: string): Plugin {
  const modules = join(root, "node_modules");
  const pdfjs = join(modules, "pdfjs-dist");
  const page = join(root, "dist/renderer/playback");
  return {
    name: "copy beside",
    setup: ({ onEnd }) => {
      onEnd(() => {
        const put = (from: string, to: string): void =>
          cpSync(from, join(page, to), { recursive: true });
        mkdirSync(join(page, pdfFolder), { recursive: true });
        put(join(modules, "hls.js/dist/hls.worker.js"), "hls.worker.js");
        // The build for older browsers.
        put(join(pdfjs, "legacy/build/pdf.worker.min.mjs"), "pdf.worker.js");
        for (const folder of ["cmaps", "standard_fonts", "iccs"])
          put(join(pdfjs, folder), `${pdfFolder}/${folder}`);
        for (const name of wasm)
          put(join(pdfjs, "wasm", name), `${pdfFolder}/wasm/${name}`);
      });
    },
  };
}
