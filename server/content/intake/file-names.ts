// The media type of an edge app's file: by its bytes, else by what its name ends in, as a web server would say.

import { judgeMedia } from "../../platform/media/media-probe.ts";

const byEnding: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  map: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

export async function typeOfAppFile(
  file: string,
  name: string,
): Promise<string> {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const byName = byEnding[ending];
  if (byName !== undefined) return byName;
  const found = await judgeMedia({ file, isTypeOnly: true });
  return found?.type ?? "application/octet-stream";
}
