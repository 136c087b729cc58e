// Reference to a shape of version 3 in its OpenAPI description.

import type { JsonSchema } from "../../reader.ts";
import type { ShapeNameV3 } from "./v3-shapes.ts";

export function refToV3(name: ShapeNameV3): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
