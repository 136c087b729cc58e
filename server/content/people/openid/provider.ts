// Signing in with an OpenID Connect provider: authorization code with PKCE, state and nonce, by openid-client (V3-207, V3-208).

import type { Configuration, CustomFetch } from "openid-client";
import { isProviderAddress } from "./provider-address.ts";

export interface OpenidOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims that are read besides those of the person. */
  readonly claims: readonly string[];
  readonly monotonic: () => number;
  /** Replaces the limit of each request. */
  readonly timeoutMs?: number | undefined;
}

/** What ties the response of the provider to the browser that began. */
export interface OpenidChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ProvedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Null: the provider states none that it has verified. */
  readonly email: string | null;
  /** Empty: it states none. */
  readonly name: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface OpenidProvider {
  /** Where the browser signs in. Throws an OpenidError. */
  addressFor(checks: OpenidChecks, redirectUri: string): Promise<string>;
  /** `query` is what the provider sent the browser back with. Throws an OpenidError. */
  identityOf(
    query: string,
    checks: OpenidChecks,
    redirectUri: string,
  ): Promise<ProvedIdentity>;
}

/** `unreachable`: no usable response from the provider; `refused`: it let the person not in; `invalid`: its response proves nothing. */
export class OpenidError extends Error {
  readonly reason: "unreachable" | "refused" | "invalid";

  constructor(reason: OpenidError["reason"], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "OpenidError";
    this.reason = reason;
  }
}

/** Of each request to the provider, to the last byte; signing in takes four at most. */
const requestMs = 10_000;
/** Its keys and addresses change rarely. */
const discoveredMs = 3_600_000;
const maxResponseBytes = 1024 * 1024;
const maxNameLetters = 200;

export function createOpenidProvider(options: OpenidOptions): OpenidProvider {
  const { issuer, clientId, clientSecret, monotonic } = options;
  const { timeoutMs = requestMs } = options;
  let discovered: {
    readonly configuration: Promise<Configuration>;
    readonly until: number;
  } | null = null;

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const server = new URL(issuer);
    const basic = client.ClientSecretBasic(clientSecret);
    const post = client.ClientSecretPost(clientSecret);
    const configuration = await client.discovery(
      ...([server, clientId, undefined] as const),
      (metadata, ...others) => {
        const { token_endpoint_auth_methods_supported: methods } = metadata;
        // Without a list, the specification says Basic.
        const isBasic = methods?.includes("client_secret_basic") ?? true;
        (isBasic ? basic : post)(metadata, ...others);
      },
      {
        timeout: timeoutMs / 1000,
        [client.customFetch]: boundedFetch,
        execute: [
          client.enableNonRepudiationChecks,
          ...(server.protocol === "http:"
            ? [client.allowInsecureRequests]
            : []),
        ],
      },
    );
    assertAddresses(configuration);
    assertAddresses(configuration);
    return configuration;
  }

  /** Shared by all who sign in at once; one that fails is not kept. */
  function configuration(): Promise<Configuration> {
    if (discovered && monotonic() < discovered.until)
      return discovered.configuration;
    const current = {
      configuration: discover(),
      until: monotonic() + discoveredMs,
    };
    discovered = current;
    current.configuration.catch(() => {
      if (discovered === current) discovered = null;
    });
    return current.configuration;
  }

  return {
    addressFor: async ({ state, nonce, codeVerifier }, redirectUri) => {
      try {
        const client = await import("openid-client");
        const address = client.buildAuthorizationUrl(await configuration(), {
          ...{ redirect_uri: redirectUri, scope: "openid email profile" },
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          ...{ code_challenge_method: "S256", state, nonce },
        });
        return address.href;
      } catch (error) {
        throw new OpenidError("unreachable", error);
      }
    },
    identityOf: async (query, checks, redirectUri) => {
      const client = await import("openid-client");
      const found = await configuration().catch((error: unknown) => {
        throw new OpenidError("unreachable", error);
      });
      const current = new URL(redirectUri);
      current.search = query;
      try {
        const tokens = await client.authorizationCodeGrant(found, current, {
          pkceCodeVerifier: checks.codeVerifier,
          ...{ expectedState: checks.state, expectedNonce: checks.nonce },
          idTokenExpected: true,
        });
        const ofToken = tokens.claims();
        if (!ofToken) throw new Error("there is no ID token");
        const isComplete = ["email", "email_verified", ...options.claims].every(
          (claim) => ofToken[claim] !== undefined,
        );
        const ofUser =
          isComplete || !found.serverMetadata().userinfo_endpoint
            ? {}
            : await client.fetchUserInfo(
                ...([found, tokens.access_token, ofToken.sub] as const),
              );
        const claims: Readonly<Record<string, unknown>> = {
          ...ofUser,
          ...ofToken,
        };
        const { email, email_verified: isVerified, name } = claims;
        const isProved = isVerified === true || isVerified === "true";
        return {
          ...{ issuer: ofToken.iss, subject: ofToken.sub, claims },
          email: typeof email === "string" && isProved ? email : null,
          name: typeof name === "string" ? name.slice(0, maxNameLetters) : "",
        };
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError)
          throw new OpenidError("refused", error);
        throw new OpenidError(
          isOfConnection(error) ? "unreachable" : "invalid",
          error,
        );
      }
    },
  };
}

/** A page opens the first one, and the service requests the others; bad ones are not kept. */
function assertAddresses(configuration: Configuration): void {
  const metadata = configuration.serverMetadata();
  for (const address of [
    ...[metadata.authorization_endpoint, metadata.token_endpoint],
    ...[metadata.jwks_uri, metadata.userinfo_endpoint],
  ])
    if (
      address !== undefined &&
      !(URL.canParse(address) && isProviderAddress(new URL(address)))
    )
      throw new Error("an address of the provider is neither HTTPS nor local");
}

const boundedFetch: CustomFetch = async (url, options) => {
  if (!isProviderAddress(new URL(url)))
    throw new TypeError("The provider names an address without HTTPS.");
  const response = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = response.body as ReadableStream<Uint8Array> | null;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > maxResponseBytes)
      throw new TypeError("The response of the provider is too large.");
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const body = size === 0 ? null : Buffer.concat(chunks);
  return new Response(body, { status, statusText, headers });
};

/** What fetch throws for a connection, and its signal for a deadline; openid-client wraps it. */
function isOfConnection(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (["TimeoutError", "AbortError", "TypeError"].includes(at.name))
      return true;
  return false;
}
