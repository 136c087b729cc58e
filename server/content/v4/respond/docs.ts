// The root of a prefix: describes the interface, for programs and for people.

import type { Request, Response } from "express";
import type { Catalogue } from "../../catalogue.ts";
import { sendDescription } from "../../http/send-description.ts";
import { Refusal } from "../../http/v4-errors.ts";
import { openApiV4 } from "./openapi.ts";

export function describe(
  request: Request,
  response: Response,
  catalogue: Catalogue,
  prefix: string,
): void {
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new Refusal(
      405,
      "PGRST117",
      `Unsupported HTTP method: ${request.method}`,
      { headers: { Allow: "GET, HEAD" } },
    );
  sendDescription(request, response, openApiV4(catalogue, prefix), prefix);
}
