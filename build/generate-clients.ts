// Generates the types of the typed clients from the OpenAPI descriptions of versions 2, 3 and 4.1, unless they are current.

import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { catalogues } from "../server/content/catalogue.ts";
import { openApiV4 } from "../server/content/v4/respond/openapi.ts";
import { openApiV2 } from "../server/contract/v2/v2-openapi.ts";
import { openApiV3 } from "../server/contract/v3/operations/v3-openapi.ts";
import { projectRoot } from "./packing/paths.ts";

const folder = join(projectRoot, "dist", "clients");

const descriptions = {
  v2: openApiV2(),
  v3: openApiV3("/api/v3"),
  v4: openApiV4(catalogues["4.1"], "/api/v4.1"),
};

/** Another version of the generator may write other types. */
const generator = readFileSync(
  join(projectRoot, "node_modules/openapi-typescript/package.json"),
  "utf8",
);

mkdirSync(folder, { recursive: true });
for (const [name, description] of Object.entries(descriptions)) {
  const text = JSON.stringify(description);
  const stamp = `// ${hash("sha256", generator + text)}\n`;
  const file = join(folder, `${name}.d.ts`);
  if (stampOf(file) === stamp) continue;
  const nodes = await openapiTS(text);
  writeFileSync(file, stamp + astToString(nodes));
}

/** The first line; empty if there is no file. */
function stampOf(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    return text.slice(0, text.indexOf("\n") + 1);
  } catch {
    return "";
  }
}
