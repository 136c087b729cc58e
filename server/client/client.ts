// Typed HTTP clients of the player (version 2) and of the content service (versions 3 and 4.1), with types generated from their
// descriptions.

import createClient, { type Client } from "openapi-fetch";
import type {
  components as ComponentsV2,
  paths as PathsV2,
} from "../../dist/clients/v2.d.ts";
import type {
  components as ComponentsV3,
  paths as PathsV3,
} from "../../dist/clients/v3.d.ts";
import type { paths as PathsV4 } from "../../dist/clients/v4.d.ts";

export type ClientV2 = Client<PathsV2>;
export type ClientV3 = Client<PathsV3>;
export type ClientV4 = Client<PathsV4>;

/** Request and response bodies by their names. */
export type SchemasV2 = ComponentsV2["schemas"];
export type SchemasV3 = ComponentsV3["schemas"];

export interface ClientOptions {
  /** Without the path of the interface: `https://content.example.org`. */
  readonly address: string;
  /** Of a content service, or of a player; a player without access tokens needs none. */
  readonly key?: string | undefined;
  /** In place of the built-in one; called with one `Request`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export function createClientV2(options: ClientOptions): ClientV2 {
  return createClient<PathsV2>(configOf(options, "", "Bearer"));
}

export function createClientV3(options: ClientOptions): ClientV3 {
  return createClient<PathsV3>(configOf(options, "/api/v3", "Token"));
}

export function createClientV4(options: ClientOptions): ClientV4 {
  return createClient<PathsV4>(configOf(options, "/api/v4.1", "Token"));
}

function configOf(
  { address, key, fetch }: ClientOptions,
  prefix: string,
  scheme: "Bearer" | "Token",
) {
  return {
    baseUrl: `${address.replace(/(?<!\/)\/+$/, "")}${prefix}`,
    ...(key !== undefined && {
      headers: { Authorization: `${scheme} ${key}` },
    }),
    ...(fetch && { fetch }),
  };
}
