// OpenAPI 3.1 description of version 3, generated from the table of operations and the shapes (V3-176).

import { schemaOf } from "../../json-schema.ts";
import type { OpenApi } from "../../openapi.ts";
import { pathsToOpenApi, refusal } from "../../operation-to-openapi.ts";
import { managerHeader } from "../../v2/manager-header.ts";
import type { GroupOfOperationsV3 } from "./v3-operation.ts";
import { permissionOfV3, securityOfV3 } from "./v3-permission.ts";
import { operationsV3 } from "./v3-operations.ts";
import { shapesV3 } from "./v3-shapes.ts";

const groups: Readonly<Record<GroupOfOperationsV3, string>> = {
  Screens: "Add and change screens, and see what they show and why.",
  Commands: "Send a command to screens, and get its result.",
  Assets: "Content: add, change and delete.",
  Playlists: "Ordered assets with a schedule and groups of screens.",
  Groups: "Labels of screens, and the built-in group All Screens.",
  Outages: "When screens did not show what they should, and why.",
  Playbacks: "What was shown.",
  Alerts: "Rules that report outages, and their incidents.",
  "What if": "Simulated changes, and what must always be true.",
  "Edge apps": "Deployments, and tokens for apps.",
  Activity: "Who changed what, when and from where.",
  Keys: "API keys of the team, each with a role and, if needed, a limit to labels.",
  People:
    "People who sign in, each with a role and, if needed, a limit to labels.",
  "Signing in": "Sessions of people, and their own account.",
  Help: "This description, and the team of the key.",
};

const description = `Assets, playlists, groups and screens of the content service. Request bodies may be JSON or form-encoded; responses are JSON unless stated otherwise. Every path exists with and without a trailing slash.

Invalid fields are answered with 400 and messages by field; every other error is {"detail": "message"}. Any operation may also answer 401 (the key is missing or wrong), 403 (the role or its limit to labels is not enough), 429 and 503 (too busy; see Retry-After).

A key or a person has one of the roles viewer, editor, operator and admin, each of which may do what the one before may. A person who signed in needs no key: the browser sends the cookie of the session, and every method but GET and HEAD needs the header X-Vitrine-Manager beside it. The cookie counts only without an Authorization header.

More is accepted than the schemas say: booleans as 1, 0 or their texts, numbers as digits. Read-only and unknown fields are ignored. HEAD works wherever GET does; OPTIONS lists the methods of a path.

Each operation names the numbered rules of server/contract/v3/v3.md that it follows (x-rules).`;

/** `prefix` as in `/api/v3`. */
export function openApiV3(prefix: string): OpenApi {
  return {
    openapi: "3.1.0",
    info: { title: "Vitrine content service", version: "3.0", description },
    servers: [{ url: prefix }],
    tags: Object.entries(groups).map(([name, description]) => ({
      ...{ name, description },
    })),
    security: [{ key: [] }, { session: [] }],
    paths: pathsToOpenApi(
      operationsV3.map((operation) => ({
        ...operation,
        permission: permissionOfV3(operation),
        security: securityOfV3(operation),
      })),
      {
        rulePrefix: "V3",
        bodyTypes: ["application/json", "application/x-www-form-urlencoded"],
      },
    ),
    components: {
      securitySchemes: {
        key: {
          ...{ type: "apiKey", in: "header", name: "Authorization" },
          description: "Token KEY, Bearer KEY, or the bare key",
        },
        session: {
          ...{ type: "apiKey", in: "cookie" },
          name: "vitrine_content_session_443",
          description:
            "Set by signing in. The name ends with the port of the service and, with HTTPS, begins with __Host-.",
        },
        manager: {
          ...{ type: "apiKey", in: "header", name: managerHeader.name },
          description: `Any value, as in ${managerHeader.value}; pages of other sites can't send it.`,
        },
      },
      schemas: Object.fromEntries(
        Object.entries(shapesV3).map(([name, shape]) => [
          name,
          schemaOf(shape),
        ]),
      ),
      responses: { Refusal: refusal("The error, as a sentence.") },
    },
  };
}
