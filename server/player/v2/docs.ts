// API documentation: as OpenAPI for programs, and as an HTML page that loads nothing from elsewhere.

import type { RequestHandler } from "express";
import {
  inlineParts,
  referencePage,
} from "../../contract/reference/reference-page.ts";
import { openApiV2 } from "../../contract/v2/v2-openapi.ts";
import { ownOrigin } from "../../platform/http/allowed-hosts.ts";
import { sendPage } from "../../platform/http/send-page.ts";

export function sendDescription(): RequestHandler {
  let text: string | undefined;
  return (_request, response) => {
    text ??= JSON.stringify(openApiV2());
    response.type("json").send(text);
  };
}

export function sendDocumentation(): RequestHandler {
  return (request, response) => {
    // Checked before this point: it is a name of this player.
    const address = ownOrigin(request);
    const forPrograms = `<a href="/api/v2/openapi.json">OpenAPI 3.1</a>`;
    const page = referencePage(openApiV2(), { address, forPrograms });
    sendPage(response, page, inlineParts);
  };
}
