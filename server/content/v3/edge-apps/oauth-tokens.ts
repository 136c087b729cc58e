// OAuth tokens for the pages of edge apps, from a file the operator keeps; a clear error where there is none (V3-57,
// V3-58).

import type { Request, RequestHandler } from "express";
import { readFile } from "node:fs/promises";
import { oauthTokensV3 } from "../../../contract/v3/v3-edge-apps.ts";
import { admit, secretFrom, teamOf } from "../../access/access.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import type { V3 } from "../operation/v3.ts";

export function createOauthTokens({ oauthTokens, database, log }: V3): Methods {
  const { kysely } = database;

  /** Read each time: tokens are renewed by writing the file, without a restart. */
  async function tokenOf(team: string, name: string) {
    if (oauthTokens === undefined) return null;
    const text = await readFile(oauthTokens, "utf8");
    const kept = oauthTokensV3.parse(JSON.parse(text));
    const row = await kysely
      .selectFrom("teams")
      .select("name")
      .where("id", "=", team)
      .executeTakeFirst();
    const ofTeam = [team, row?.name ?? ""].find((key) =>
      Object.hasOwn(kept, key),
    );
    const tokens = ofTeam === undefined ? {} : kept[ofTeam];
    return tokens && Object.hasOwn(tokens, name)
      ? (tokens[name] ?? null)
      : null;
  }

  return {
    GET: async (request, response) => {
      const name = request.params["name"] ?? "";
      response.setHeader("Cache-Control", "no-store");
      try {
        const token = await tokenOf(teamOf(response), name);
        if (token !== null) sendJson(response, 200, token);
        else
          sendJson(response, 404, {
            error: `No token is configured for "${name.slice(0, 100)}".`,
          });
      } catch (error) {
        log.error("oauth.tokens-unreadable", { error });
        sendJson(response, 503, {
          error: "The configured tokens cannot be read.",
        });
      }
    },
  };
}

const ofTokens = /^(\/api)?\/v3\/edge-apps\/oauth\/tokens\/[^/]+\/?$/;

/** The origin of an app in a player: one per app, under a scheme that no web page has. */
const ofApp = /^edge-app:\/\/[\w-]{1,64}$/;

/** An app sends requests from its own origin, which is cross-origin to a browser (V3-70). */
export function isAppRequest({ path, headers }: Request): boolean {
  return ofTokens.test(path) && ofApp.test(headers.origin ?? "");
}

/** CORS headers for the answers that an app's page may read, and the preflight, which browsers send without credentials. */
export function letAppsRead(): RequestHandler {
  return (request, response, next) => {
    if (!isAppRequest(request)) {
      next();
      return;
    }
    response.setHeader(
      "Access-Control-Allow-Origin",
      request.headers.origin ?? "",
    );
    response.setHeader("Vary", "Origin");
    const isPreflight =
      request.method === "OPTIONS" &&
      request.headers["access-control-request-method"] !== undefined;
    if (!isPreflight) {
      next();
      return;
    }
    response
      .status(204)
      .set({
        "Access-Control-Allow-Methods": "GET",
        "Access-Control-Allow-Headers": "Authorization",
        "Access-Control-Max-Age": "600",
        // Chromium requires this when the service is in a more private network than the page.
        "Access-Control-Allow-Private-Network": "true",
      })
      .end();
  };
}

/** An app presents the credential of its installation, which is valid only here; other clients present their key. */
export function admitInstallations(
  { appTokens, database }: Pick<V3, "appTokens" | "database">,
  requireKey: RequestHandler,
): RequestHandler {
  async function teamOfApp(request: Request): Promise<string | null> {
    const secret = secretFrom(request.headers.authorization) ?? "";
    const installation = appTokens.installationOf(secret);
    if (installation === null) return null;
    const row = await database.kysely
      .selectFrom("edge_app_installations")
      .select("team_id")
      .where("id", "=", installation)
      .executeTakeFirst();
    return row?.team_id ?? null;
  }
  const admitApp: RequestHandler = async (request, response, next) => {
    const team = await teamOfApp(request);
    if (team === null) {
      await requireKey(request, response, next);
      return;
    }
    // It is admitted to this operation and to no other.
    admit(response, { team, role: "admin", labelIds: null, actor: null });
    next();
  };
  return (request, response, next) =>
    ofTokens.test(request.path)
      ? admitApp(request, response, next)
      : requireKey(request, response, next);
}
