// The root of a prefix: describes the interface, for programs and for people.

import type { Request, Response } from "express";
import {
  inlineParts,
  referencePage,
} from "../../../contract/reference/reference-page.ts";
import { sendPage } from "../../../platform/http/send-page.ts";
import type { Catalogue } from "../../catalogue.ts";
import { openApiV4 } from "./openapi.ts";
import { Refusal } from "../../http/v4-errors.ts";

export function sendDescription(
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
  const api = openApiV4(catalogue, prefix);
  response.setHeader("Vary", "Accept");
  if (request.accepts("json", "html") !== "html") {
    response
      .type("application/openapi+json; charset=utf-8")
      .send(JSON.stringify(api));
    return;
  }
  const address = `${request.protocol}://${request.host}${prefix}`;
  const page = referencePage(api, {
    address,
    forPrograms: "the same address with <code>Accept: application/json</code>",
    header: "Authorization: Token KEY",
  });
  sendPage(response, page, inlineParts);
}
