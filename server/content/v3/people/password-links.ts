// Requesting and using a link that sets a new password, without credentials (V3-204, V3-205).

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { Request } from "express";
import {
  passwordLinkRequestV3,
  passwordLinkUseV3,
  previewPasswordLinkV3,
} from "../../../contract/v3/v3-people.ts";
import { Failure } from "../../../core/failure.ts";
import { requireManagerHeader } from "../../access/session-cookie.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";
import type { V3 } from "../operation/v3.ts";

export interface PasswordLinkRoutes {
  readonly canSend: (request: Request) => boolean;
  readonly collection: Methods;
  readonly preview: Methods;
  readonly use: Methods;
}

export function createPasswordLinkRoutes(
  v3: V3,
  baseOf: (request: Request) => string | null,
): PasswordLinkRoutes {
  const { passwordLinks, passwordMail, sessions, signInLimit, log } = v3;

  const requestLink: Handler = (request, response) => {
    requireManagerHeader(request);
    const { email } = judged(passwordLinkRequestV3, fieldsOf(request));
    const base = baseOf(request);
    if (!passwordMail || base === null)
      throw new Failure("conflict", serviceSentences["password-links-none"]);
    passwordMail.request(request.ip ?? "", email, base);
    response.status(200).end();
  };

  const preview: Handler = async (request, response) => {
    requireManagerHeader(request);
    const { secret } = judged(previewPasswordLinkV3, fieldsOf(request));
    sendJson(response, 200, await passwordLinks.preview(secret));
  };

  const use: Handler = async (request, response) => {
    requireManagerHeader(request);
    const body = judged(passwordLinkUseV3, fieldsOf(request));
    const { secret, password } = body;
    const person = await signInLimit.run(request.ip ?? "", "", () =>
      passwordLinks.use(secret, password),
    );
    sessions.forget();
    log.info("access.forgotten-password-set", { person });
    response.status(200).end();
  };

  return {
    canSend: (request) => passwordMail !== null && baseOf(request) !== null,
    collection: { POST: requestLink },
    preview: { POST: preview },
    use: { POST: use },
  };
}
