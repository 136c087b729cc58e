// Signing in with the OpenID Connect provider that the operator has configured (V3-206).

import { readFile } from "node:fs/promises";
import type { Role } from "../../../core/role.ts";
import { Failure } from "../../../core/failure.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentConfig } from "../../config.ts";
import type { ContentTables } from "../../tables.ts";
import {
  createProviderPeople,
  type ProviderPeople,
} from "./provider-people.ts";
import {
  createOpenidProvider,
  type OpenidProvider,
  type ProvedIdentity,
} from "./provider.ts";
import { roleByClaims } from "./roles-of-claims.ts";

export interface Openid {
  /** On the sign-in page. */
  readonly label: string;
  readonly provider: OpenidProvider;
  readonly people: ProviderPeople;
  /** Of a person who is not invited; null: they stay out. */
  readonly roleOf: (identity: ProvedIdentity) => Role | null;
}

/** Null: none is configured. Throws a Failure with a sentence if the file with the client secret cannot be read. */
export async function createOpenid(
  config: ContentConfig,
  options: {
    readonly database: Database<ContentTables>;
    readonly now: () => number;
    readonly makeId: () => string;
    readonly monotonic: () => number;
    readonly defaultTeam: () => Promise<string>;
    readonly timeoutMs?: number | undefined;
  },
): Promise<Openid | null> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcRoles } = config;
  if (issuer === undefined || clientId === undefined) return null;
  const rolesOfClaims = oidcRoles ?? [];
  const provider = createOpenidProvider({
    ...{ issuer, clientId, clientSecret: await clientSecretOf(config) },
    claims: rolesOfClaims.map(({ claim }) => claim),
    ...{ monotonic: options.monotonic, timeoutMs: options.timeoutMs },
  });
  return {
    label: config.oidcLabel ?? new URL(issuer).host,
    provider,
    people: createProviderPeople(options),
    roleOf: ({ claims }) => roleByClaims(rolesOfClaims, claims),
  };
}

async function clientSecretOf({
  oidcClientSecret,
  oidcClientSecretFile: file,
}: ContentConfig): Promise<string> {
  if (file === undefined) return oidcClientSecret ?? "";
  const text = await readFile(file, "utf8").catch(() => {
    throw new Failure("not-found", `The file ${file} cannot be read.`);
  });
  const secret = text.trim();
  if (secret === "")
    throw new Failure("malformed", `The file ${file} is empty.`);
  return secret;
}
