// Sends the description of an interface: OpenAPI for programs, or a page that loads nothing from elsewhere (V3-176, V4-45).

import type { Request, Response } from "express";
import type { OpenApi } from "../../contract/openapi.ts";
import {
  inlineParts,
  referencePage,
} from "../../contract/reference/reference-page.ts";
import { sendPage } from "../../platform/http/send-page.ts";

/** `prefix` is where the interface is, as in `/api/v3`. */
export function sendDescription(
  request: Request,
  response: Response,
  api: OpenApi,
  prefix: string,
): void {
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
