// OpenAPI 3.1 description of the interface, generated from the table of operations and the shapes.

import { schemasV2 } from "./v2-answers.ts";
import { interfaceVersion } from "./v2-monitoring.ts";
import { fieldDescriptions } from "./v2-fields.ts";
import type { GroupV2, OperationV2 } from "./operations/v2-operation.ts";
import { operationsV2 } from "./operations/v2-operations.ts";
import type { OpenApi } from "../openapi.ts";
import { pathsToOpenApi, refusal } from "../operation-to-openapi.ts";

const groups: Readonly<Record<GroupV2, string>> = {
  Assets: "Content: list, create, change, order, upload.",
  Playlists: "Ordered assets with a schedule and target screens.",
  Playback: "Control what is on the screen.",
  Backup: "Create, download and restore backups of this player.",
  Player: "The player's settings and its PC.",
  Sync: "Connections to content services, and their plans.",
  Observing: "Status, logs, events and metrics.",
  Access: "Access tokens for scripts and managers.",
  Help: "This description.",
};

const description = `The HTTP interface of this player. Request bodies may be JSON, form-encoded or multipart; responses are JSON unless stated otherwise.

Invalid fields are answered with 400 and messages by field; every other error is {"detail": "message"}. Any operation may also answer 401 (an access token is required), 403 (host name or web page not allowed), 429 (too many invalid tokens) and 503 (too busy; see Retry-After).

More is accepted than the schemas say: booleans as 1, 0 or their texts, numbers as digits, dates with or without a time zone. Read-only and unknown fields are ignored. HEAD works wherever GET does; OPTIONS lists the methods of a path.

Send an access token as Authorization: Bearer TOKEN, or as the password of Basic under any user name.

Each operation names the numbered rules of server/contract/v2/rules that it follows (x-rules).`;

export function openApiV2(): OpenApi {
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine player interface",
      version: interfaceVersion,
      description,
    },
    servers: [{ url: "/" }],
    tags: Object.entries(groups).map(([name, description]) => ({
      ...{ name, description },
    })),
    security: [{}, { bearer: [] }, { basic: [] }],
    paths: pathsToOpenApi(operationsV2.map(asSpecified), anyForm),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: {
          ...{ type: "http", scheme: "basic" },
          description: "The token as password, under any user name.",
        },
      },
      schemas: withSentences(schemasV2()),
      responses: { Refusal: refusal("The error, as a sentence.") },
    },
  };
}

/** How a client may send the fields of a body (V2-5). */
const anyForm = {
  rulePrefix: "V2",
  bodyTypes: [
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
  ],
};

/** With the specification's name for the parameter that the routes call `id`. */
function asSpecified(operation: OperationV2): OperationV2 {
  const path = operation.path.replace("assets/:id", "assets/:asset_id");
  return { ...operation, path };
}

/** Adds to each property the description of its name, unless it has its own. */
function withSentences<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withSentences) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, inner]: [string, unknown]) => [
      key,
      key === "properties"
        ? describeProperties(inner as object)
        : withSentences(inner),
    ],
  );
  return Object.fromEntries(entries) as Value;
}

function describeProperties(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]: [string, unknown]) => {
      const description = fieldDescriptions[name];
      const inner = withSentences(schema) as object;
      return [
        name,
        description === undefined ? inner : { description, ...inner },
      ];
    }),
  );
}
