// A real OpenID Connect provider over loopback, with one client; signs in the account that the test specifies, without any form.

import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";
import { afterThisTest } from "../after-this-test.ts";

export const openidClient = { id: "vitrine", secret: "the client's secret" };

export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface OpenidProviderOfTest {
  readonly issuer: string;
  /** Who is signed in next; null: nobody is let in. */
  account: ProviderAccount | null;
  /** Answers instead of the provider; null: the provider itself. */
  instead: RequestListener | null;
  /** Requests by path, without the query. */
  readonly requests: string[];
  /** The provider knows the service from now on. */
  setRedirectUri(redirectUri: string): void;
  /** As a browser with cookies of its own: follows all redirects of the provider, and returns the address to which the last one leads. */
  signIn(address: string): Promise<string>;
}

/** `claimsInToken`: claims of the person are in the ID token, too, not only in the user info. */
export async function startOpenidProvider(
  claimsInToken = false,
  hostname = "127.0.0.1",
): Promise<OpenidProviderOfTest> {
  let callback: RequestListener | null = null;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push((request.url ?? "").split("?")[0] ?? "");
    const listener = provider.instead ?? callback;
    if (listener) listener(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const { port } = server.address() as AddressInfo;
  const issuer = `http://${hostname}:${port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "1", use: "sig" };

  const configurationFor = (redirectUri: string): Configuration => ({
    clients: [
      {
        client_id: openidClient.id,
        client_secret: openidClient.secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ["keys of the cookies"] },
    pkce: { required: () => true },
    conformIdTokenClaims: !claimsInToken,
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "groups"],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...provider.account, sub }),
    }),
    loadExistingGrant: async (context) => {
      const { oidc } = context;
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? "",
        clientId: openidClient.id,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });

  const provider: OpenidProviderOfTest = {
    ...{ issuer, account: null, instead: null, requests },
    setRedirectUri: (redirectUri) => {
      const real = new Provider(issuer, configurationFor(redirectUri));
      const answer = real.callback();
      callback = (request, response) => {
        if (!request.url?.startsWith("/interaction/")) {
          void answer(request, response);
          return;
        }
        const { account } = provider;
        const result = account
          ? { login: { accountId: account.sub } }
          : { error: "access_denied", error_description: "Not you." };
        real
          .interactionFinished(request, response, result)
          .catch(() => response.writeHead(500).end());
      };
    },
    signIn: async (address) => {
      const cookies = new Map<string, string>();
      let next = address;
      while (next.startsWith(`${issuer}/`)) {
        const response = await fetch(next, {
          redirect: "manual",
          headers: {
            Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
          },
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = "", value = ""] =
            /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null)
          throw new Error(`${response.status} ${await response.text()}`);
        next = new URL(location, next).href;
      }
      return next;
    },
  };
  return provider;
}
