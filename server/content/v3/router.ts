// Routes of version 3, in the order of the specification, with and without /api, with and without a trailing slash.

import express, { type Request, type RequestHandler } from "express";
import { openApiV3 } from "../../contract/v3/operations/v3-openapi.ts";
import type { MailV3 } from "../../contract/v3/v3-people.ts";
import type { RouteV3 } from "../../contract/v3/operations/v3-operations.ts";
import { baseOf } from "../files/resolve-addresses.ts";
import { bodyLimits } from "../http/body-limits.ts";
import { inRow } from "../http/middleware-chain.ts";
import { createLargeBodies } from "../http/large-bodies.ts";
import {
  handleRoutes,
  sendJson,
  type Handler,
  type Methods,
} from "../http/routes.ts";
import { sendDescription } from "../http/send-description.ts";
import { createActivity } from "./activity/activity.ts";
import { createAdoptedPlayers } from "./screens/adopted-players.ts";
import { createAlertIncidents } from "./alerts/alert-incidents.ts";
import { createAlertRules } from "./alerts/alert-rules.ts";
import { createAssets } from "./assets/assets.ts";
import { createEdgeApps } from "./edge-apps/edge-apps.ts";
import { readerOfFields } from "./operation/fields.ts";
import { createGeocodeRoute } from "./places/geocode.ts";
import { createGroups } from "./screens/groups.ts";
import { createMe } from "./me.ts";
import { createOauthTokens } from "./edge-apps/oauth-tokens.ts";
import { createPlaybackReport } from "./screens/playback-report.ts";
import { createPlaybacks } from "./screens/playbacks.ts";
import { createPlaylists } from "./playlists/playlists.ts";
import { createPredicates } from "./playlists/predicates.ts";
import { createScreenCommandRoutes } from "./screens/commands.ts";
import { createOutageTotals } from "./outages/outage-totals.ts";
import { createScreenOutages } from "./outages/outages.ts";
import { createScreenAssignments } from "./screens/assignments.ts";
import { createScreenSchedule } from "./screens/screen-schedule.ts";
import { createLiveScreens } from "./screens/live.ts";
import { createScreenStates } from "./screens/states.ts";
import { createScreens } from "./screens/screens.ts";
import { createSupportBundleRoute } from "./screens/support-bundle.ts";
import { createKeyRoutes } from "./access/keys.ts";
import { invitationLink } from "../people/invitation-link.ts";
import { createAccountRoutes } from "./people/account.ts";
import { createAccountPasskeyRoutes } from "./people/passkeys.ts";
import { createInvitationRoutes } from "./people/invitations.ts";
import { createPeopleRoutes } from "./people/people.ts";
import { createV3, type V3Options } from "./operation/v3.ts";
import { createAssertions } from "./what-if/assertions.ts";
import { createWhatIfRoute } from "./what-if/what-if.ts";

const sendOpenApi: Handler = (request, response) => {
  const prefix = request.path.startsWith("/api/") ? "/api/v3" : "/v3";
  sendDescription(request, response, openApiV3(prefix), prefix);
};

/** Expects the team in `response.locals.team`, and an uploaded file's asset in `response.locals.newAssetId`. */
export function createV3Router(
  options: V3Options & {
    readonly publicUrl?: string | undefined;
    /** The service's own address; null if it has none that can be trusted. */
    readonly ownAddress: (request: Request) => string | null;
  },
): RequestHandler {
  const v3 = createV3(options);
  const incidents = createAlertIncidents(v3);
  const adoptedPlayers = createAdoptedPlayers(v3);
  const alertRules = createAlertRules(v3);
  const assertions = createAssertions(v3);
  const assets = createAssets(v3);
  const edgeApps = createEdgeApps(v3);
  const groups = createGroups(v3);
  const keys = createKeyRoutes(v3);
  const account = createAccountRoutes(v3);
  const passkeys = createAccountPasskeyRoutes(v3, options.ownAddress);
  const linkOf = (request: Request, secret: string): string =>
    invitationLink(baseOf(request, options.publicUrl), secret);
  const people = createPeopleRoutes(v3, linkOf);
  const invitations = createInvitationRoutes(v3, linkOf);
  const playlists = createPlaylists(v3);
  const predicates = createPredicates(v3.now);
  const screens = createScreens(v3);
  const commands = createScreenCommandRoutes(v3);
  const routes: Readonly<Record<RouteV3, Methods>> = {
    "/": { GET: sendOpenApi },
    "/account": account.account,
    "/account/passkeys": passkeys.collection,
    "/account/passkeys/options": passkeys.options,
    "/account/passkeys/:id": passkeys.item,
    "/account/second-factor": account.secondFactor,
    "/account/sessions": account.sessions,
    "/account/sessions/:id": account.session,
    "/activity": createActivity(v3),
    "/alerts/incidents": incidents.collection,
    "/alerts/incidents/:id": incidents.item,
    "/alerts/incidents/:id/acknowledge": incidents.acknowledgement,
    "/alerts/rules": alertRules.collection,
    "/alerts/rules/:id": alertRules.item,
    "/alerts/rules/:id/test": alertRules.test,
    "/assertions": assertions.collection,
    "/assertions/:id": assertions.item,
    "/assets": assets.collection,
    "/assets/upload": assets.upload,
    "/assets/:id": assets.item,
    "/assets/:id/capture": assets.capture,
    "/edge-apps/oauth/tokens/:name": createOauthTokens(v3),
    "/edge-apps/:id/deploy": edgeApps.deploy,
    "/edge-apps/:id/deploy/preview": edgeApps.preview,
    "/groups": groups.collection,
    "/groups/:id": groups.item,
    "/invitations": invitations.collection,
    "/invitations/:id": invitations.item,
    "/keys": keys.collection,
    "/keys/:id": keys.item,
    "/mail": {
      GET: (_request, response) => {
        const shown: MailV3 = { can_send: v3.mailer !== null };
        sendJson(response, 200, shown);
      },
    },
    "/me": createMe(v3, options.publicUrl),
    "/people": people.collection,
    "/people/:id": people.item,
    "/people/:id/reset": people.reset,
    "/playbacks": createPlaybacks(v3),
    "/playbacks/report": createPlaybackReport(v3),
    "/playlists": playlists.collection,
    "/playlists/:id": playlists.item,
    "/predicate-validation": predicates.validation,
    "/predicate/evaluate": predicates.evaluation,
    "/screens": screens.collection,
    "/screens/assignments": createScreenAssignments(v3),
    "/screens/adopted": adoptedPlayers.collection,
    "/screens/adopted/:id": adoptedPlayers.item,
    "/screens/geocode": createGeocodeRoute(v3.geocode),
    "/screens/commands": commands.ofMany,
    "/screens/commands/totals": commands.totals,
    "/screens/commands/:id/bundle": createSupportBundleRoute(v3),
    "/screens/outages": createScreenOutages(v3),
    "/screens/outages/totals": createOutageTotals(v3),
    "/screens/states": createScreenStates(v3),
    "/screens/:id": screens.item,
    "/screens/:id/commands": commands.ofOne,
    "/screens/:id/replace": screens.replacement,
    "/screens/:id/schedule": createScreenSchedule(v3),
    "/what-if": createWhatIfRoute(v3),
    "/screens/:id/watch": createLiveScreens(v3),
  };
  const readBytes = express.raw({
    type: () => true,
    limit: bodyLimits.bodyBytes,
  });
  const answer = inRow(
    (request, response, next) => {
      if (request.method === "GET" || request.body !== undefined) next();
      else void readBytes(request, response, next);
    },
    createLargeBodies(readerOfFields),
    handleRoutes("/v3", routes),
  );
  return (request, response, next) => {
    if (/^(\/api)?\/v3(\/|$)/.test(request.path))
      void answer(request, response, next);
    else next();
  };
}
