// Operations of version 3 on people and API keys: keys, people, invitations, the own account, and signing in.

import { refToV3 } from "./ref-to-v3.ts";
import { activityQueryV3 } from "../v3-activity.ts";
import { explained } from "./v3-query-texts.ts";
import {
  deleted,
  idOf,
  invalid,
  invalidQuery,
  notFound,
  operation,
} from "./v3-operation.ts";

const labels = [{ id: "5f2b7a1c9d3e4f608192a3b4c5d6e7f8" }];
const password = "correct horse battery";
const email = "ada@example.org";

/** Of operations that compare a password or a code. */
const limited = { 429: "Too many failed sign-ins; see Retry-After." };
const lastAdmin = {
  409: "The team would have no administrator who can sign in.",
};

const key = idOf("key");

const ofKeys = [
  operation("get", "/keys/", {
    ...{ id: "listKeys", group: "Keys", rules: [134] },
    summary: "List API keys",
    answers: { 200: { description: "All keys.", list: "ApiKey" } },
  }),
  operation("post", "/keys/", {
    ...{ id: "createKey", group: "Keys", rules: [134, 135] },
    summary: "Create an API key",
    body: {
      shape: "CreateApiKey",
      example: { name: "Reports", role: "editor", labels },
    },
    answers: {
      201: {
        description:
          "The key, with its secret. The secret is returned only once.",
        shape: "CreatedApiKey",
      },
    },
    refusals: { ...invalid, 409: "The limit of 500 keys has been reached." },
  }),
  operation("get", "/keys/:id/", {
    ...{ id: "readKey", group: "Keys", rules: [134] },
    summary: "Get an API key",
    parameters: [key],
    answers: { 200: { description: "The key.", shape: "ApiKey" } },
    refusals: notFound,
  }),
  operation("delete", "/keys/:id/", {
    ...{ id: "revokeKey", group: "Keys", rules: [134, 135] },
    summary: "Revoke an API key",
    parameters: [key],
    answers: { 200: { description: "Revoked." } },
    refusals: notFound,
  }),
] as const;

const person = idOf("person");
const onePerson = { description: "The person.", shape: "Person" } as const;
const link = {
  description: "The link. It is returned only once.",
  shape: "InvitationLink",
} as const;

const ofPeople = [
  operation("get", "/people/", {
    ...{ id: "listPeople", group: "People", rules: [163] },
    summary: "List the people of the team",
    answers: { 200: { description: "All people.", list: "Person" } },
  }),
  operation("get", "/people/:id/", {
    ...{ id: "readPerson", group: "People", rules: [163] },
    summary: "Get a person",
    parameters: [person],
    answers: { 200: onePerson },
    refusals: notFound,
  }),
  operation("patch", "/people/:id/", {
    ...{ id: "updatePerson", group: "People", rules: [163] },
    summary: "Update a person's name, role or limit, or disable them",
    parameters: [person],
    body: { shape: "UpdatePerson", example: { role: "operator", labels } },
    answers: { 200: onePerson },
    refusals: { ...invalid, ...notFound, ...lastAdmin },
  }),
  operation("delete", "/people/:id/", {
    ...{ id: "deletePerson", group: "People", rules: [163] },
    summary: "Delete a person with their sessions",
    parameters: [person],
    answers: deleted,
    refusals: { ...notFound, ...lastAdmin },
  }),
  operation("post", "/people/:id/reset/", {
    ...{ id: "resetPerson", group: "People", rules: [167, 199] },
    summary: "Create a link that lets a person set a new password",
    parameters: [person],
    body: { shape: "ResetPerson", example: { send_email: false } },
    answers: { 201: link },
    refusals: { ...invalid, ...notFound },
  }),
  operation("get", "/mail/", {
    ...{ id: "readMail", group: "People", rules: [199] },
    summary: "Check whether the service can send email",
    answers: {
      200: { description: "Whether it has a mail server.", shape: "Mail" },
    },
  }),
  operation("get", "/invitations/", {
    ...{ id: "listInvitations", group: "People", rules: [168] },
    summary: "List invitations that can still be used",
    answers: {
      200: { description: "All pending invitations.", list: "Invitation" },
    },
  }),
  operation("post", "/invitations/", {
    ...{ id: "invitePerson", group: "People", rules: [163, 168, 199] },
    summary: "Invite a person",
    body: {
      shape: "CreateInvitation",
      example: { email, role: "editor", labels },
    },
    answers: { 201: link },
    refusals: {
      ...invalid,
      409: "The limit of 100 invitations or 1000 people has been reached.",
    },
  }),
  operation("delete", "/invitations/:id/", {
    ...{ id: "withdrawInvitation", group: "People", rules: [168] },
    summary: "Withdraw an invitation",
    parameters: [idOf("invitation")],
    answers: { 200: { description: "Withdrawn." } },
    refusals: notFound,
  }),
] as const;

/** Only for a person who is signed in. */
const own = { group: "Signing in", credentials: "session" } as const;
const noPasskeys = {
  409: "There are none at this address, the person has 20, or this one is known.",
};
const passkeyExample = { id: "KUPG4A", rawId: "KUPG4A", type: "public-key" };
const noAccount = { 404: "A key has no account." };
const confirmation = {
  shape: "ConfirmPassword",
  example: { password },
} as const;

const ofAccount = [
  operation("get", "/account/", {
    ...{ ...own, id: "readAccount", rules: [164] },
    summary: "Get the person who is signed in",
    answers: { 200: onePerson },
    refusals: noAccount,
  }),
  operation("patch", "/account/", {
    ...{ ...own, id: "updateAccount", rules: [164] },
    summary: "Change your own name or password",
    body: {
      shape: "UpdateAccount",
      example: { password: "staple the horse", current_password: password },
    },
    answers: { 200: onePerson },
    refusals: { ...invalid, ...noAccount, ...limited },
  }),
  operation("post", "/account/second-factor/", {
    ...{ ...own, id: "beginSecondFactor", rules: [165] },
    summary: "Get a new secret for an authenticator app",
    body: confirmation,
    answers: {
      201: {
        description:
          "The secret. It takes effect once a code from it is confirmed.",
        shape: "SecondFactor",
      },
    },
    refusals: { ...invalid, ...noAccount, ...limited },
  }),
  operation("put", "/account/second-factor/", {
    ...{ ...own, id: "confirmSecondFactor", rules: [165] },
    summary: "Turn on the second factor with a code from the new secret",
    body: { shape: "ConfirmCode", example: { code: "492039" } },
    answers: {
      200: {
        description: "The recovery codes. They are returned only once.",
        shape: "RecoveryCodes",
      },
    },
    refusals: {
      ...{ ...invalid, ...noAccount, ...limited },
      409: "There is no new secret.",
    },
  }),
  operation("delete", "/account/second-factor/", {
    ...{ ...own, id: "removeSecondFactor", rules: [165] },
    summary: "Turn off the second factor",
    body: confirmation,
    answers: { 200: { description: "Turned off." } },
    refusals: { ...invalid, ...noAccount, ...limited },
  }),
  operation("get", "/account/passkeys/", {
    ...{ ...own, id: "listPasskeys", rules: [211] },
    summary: "List your own passkeys",
    answers: { 200: { description: "All passkeys.", list: "Passkey" } },
    refusals: noAccount,
  }),
  operation("post", "/account/passkeys/options/", {
    ...{ ...own, id: "beginPasskey", rules: [211, 212] },
    summary: "Begin to add a passkey",
    body: confirmation,
    answers: {
      201: {
        description:
          "What the browser needs to make a passkey; the response sets a cookie that ties it to the browser.",
        shape: "PasskeyOptions",
      },
    },
    refusals: { ...invalid, ...noAccount, ...limited, ...noPasskeys },
  }),
  operation("post", "/account/passkeys/", {
    ...{ ...own, id: "addPasskey", rules: [211, 212] },
    summary: "Add the passkey that the browser has made",
    body: {
      shape: "AddPasskey",
      example: {
        name: "Laptop",
        credential: {
          ...passkeyExample,
          response: { clientDataJSON: "eyJ0…", attestationObject: "o2Nm…" },
        },
      },
    },
    answers: { 201: { description: "Added.", shape: "Passkey" } },
    refusals: { ...invalid, ...noAccount, ...noPasskeys },
  }),
  operation("delete", "/account/passkeys/:id/", {
    ...{ ...own, id: "removePasskey", rules: [211] },
    summary: "Remove one of your own passkeys",
    parameters: [idOf("passkey")],
    answers: { 200: { description: "Removed." } },
    refusals: notFound,
  }),
  operation("get", "/account/sessions/", {
    ...{ ...own, id: "listSessions", rules: [166] },
    summary: "List your own sessions",
    answers: { 200: { description: "All sessions.", list: "Session" } },
    refusals: noAccount,
  }),
  operation("delete", "/account/sessions/", {
    ...{ ...own, id: "endSessions", rules: [166] },
    summary: "Sign out everywhere",
    answers: { 200: { description: "All sessions have ended." } },
    refusals: noAccount,
  }),
  operation("delete", "/account/sessions/:id/", {
    ...{ ...own, id: "endSession", rules: [166] },
    summary: "End one of your own sessions",
    parameters: [idOf("session")],
    answers: { 200: { description: "Ended." } },
    refusals: notFound,
  }),
] as const;

const ofActivity = [
  operation("get", "/activity/", {
    ...{ id: "listActivity", group: "Activity", rules: [200, 201, 202] },
    summary: "List who changed what, newest first",
    query: explained(activityQueryV3, {
      since: ["Entries at or after this moment.", "2026-05-01T00:00:00Z"],
      until: ["Entries before this moment.", "2026-05-02T00:00:00Z"],
      actor: ["The identifier or name of a person or key, or a kind.", "key"],
      kind: ["What kind of thing was changed.", "asset"],
    }),
    answers: {
      200: {
        ...{ description: "A page of entries.", shape: "ActivityPage" },
        isTable: true,
      },
    },
    refusals: invalidQuery,
  }),
] as const;

export const peopleOperationsV3 = [
  ...ofActivity,
  ...ofKeys,
  ...ofPeople,
  ...ofAccount,
] as const;

const signedIn = {
  description: "The person; the response sets the cookie of their session.",
  shape: "SignedIn",
} as const;
const invalidSmall = {
  ...{ ...invalid, 413: "The body is larger than 16 KiB." },
  403: "The header X-Vitrine-Manager is missing.",
};
const linkRefusals = {
  ...invalidSmall,
  404: "The link is no longer valid.",
};
const secret = "XpMx1yq8cVr0dPqN2mT4wZ7bK9hJ3sLf";

/** Operations without a role: the person they are for is not known yet. */
export const openOperationsV3 = [
  operation("get", "/sign-in/", {
    ...{ id: "readSignIn", group: "Signing in", rules: [160] },
    credentials: "session-or-none",
    summary: "Get who is signed in",
    answers: {
      200: { description: "The person, or null.", shape: "SignedIn" },
    },
  }),
  operation("post", "/sign-in/", {
    ...{ id: "signIn", group: "Signing in", rules: [160] },
    credentials: "none",
    summary: "Sign in",
    body: { shape: "SignIn", example: { email, password } },
    answers: {
      200: signedIn,
      401: {
        description:
          "The email address, password or code is wrong, or a code is also required.",
        schema: { anyOf: [refToV3("CodeRequired"), refToV3("Refusal")] },
      },
    },
    refusals: { ...invalidSmall, ...limited },
  }),
  operation("delete", "/sign-in/", {
    ...{ id: "signOut", group: "Signing in", rules: [160] },
    credentials: "session-or-none",
    summary: "Sign out",
    answers: { 200: { description: "The session has ended." } },
    refusals: { 403: invalidSmall[403] },
  }),
  operation("post", "/invitations/preview/", {
    ...{ id: "previewInvitation", group: "Signing in", rules: [143] },
    credentials: "none",
    summary: "Check an invitation link",
    body: {
      shape: "PreviewInvitation",
      example: { secret },
    },
    answers: {
      200: {
        description: "The link is valid; what its holder has to enter.",
        shape: "InvitationPreview",
      },
    },
    refusals: linkRefusals,
  }),
  operation("post", "/invitations/accept/", {
    ...{ id: "acceptInvitation", group: "Signing in", rules: [161] },
    credentials: "none",
    summary: "Accept an invitation, or set a new password, and sign in",
    body: {
      shape: "AcceptInvitation",
      example: {
        ...{ secret, password },
        name: "Ada Lovelace",
      },
    },
    answers: { 200: signedIn },
    refusals: { ...linkRefusals, ...limited },
  }),
  operation("get", "/sign-in/methods/", {
    ...{ id: "readSignInMethods", group: "Signing in", rules: [203] },
    credentials: "none",
    summary: "Get how people can sign in",
    answers: { 200: { description: "The methods.", shape: "SignInMethods" } },
  }),
  operation("post", "/sign-in/openid/", {
    ...{ id: "beginOpenidSignIn", group: "Signing in", rules: [206, 207] },
    credentials: "none",
    summary: "Begin to sign in with the OpenID Connect provider",
    answers: {
      200: {
        description:
          "Where the browser signs in; the response sets the cookie that ties it to the browser.",
        shape: "OpenidAddress",
      },
    },
    refusals: {
      403: invalidSmall[403],
      404: "The service has no provider.",
      429: "Too many sign-ins were started; see Retry-After.",
      502: "The provider can't be reached, or its response can't be used.",
    },
  }),
  operation("get", "/sign-in/openid/callback", {
    ...{ id: "endOpenidSignIn", group: "Signing in" },
    rules: [207, 208, 209, 210],
    credentials: "none",
    summary: "Sign in the person whom the provider sends back",
    answers: {
      303: {
        description:
          "To the manager; signed in, or with #sign-in-failed=REASON.",
      },
    },
    refusals: { 404: "The service has no provider." },
  }),
  operation("post", "/sign-in/passkey/options/", {
    ...{ id: "beginPasskeySignIn", group: "Signing in", rules: [212, 213] },
    credentials: "none",
    summary: "Begin to sign in with a passkey",
    answers: {
      200: {
        description:
          "What the browser needs to use a passkey; the response sets a cookie that ties it to the browser.",
        shape: "PasskeyOptions",
      },
    },
    refusals: {
      403: invalidSmall[403],
      409: "There are no passkeys at this address.",
      429: "Too many sign-ins were begun; see Retry-After.",
    },
  }),
  operation("post", "/sign-in/passkey/", {
    ...{ id: "signInWithPasskey", group: "Signing in", rules: [213] },
    credentials: "none",
    summary: "Sign in with a passkey",
    body: {
      shape: "SignInWithPasskey",
      example: {
        credential: {
          ...passkeyExample,
          response: {
            ...{ clientDataJSON: "eyJ0…", authenticatorData: "SZYN…" },
            signature: "MEUC…",
          },
        },
      },
    },
    answers: { 200: signedIn },
    refusals: {
      ...invalidSmall,
      401: "The passkey is unknown or wrong, or it took too long.",
      409: "There are no passkeys at this address.",
    },
  }),
  operation("post", "/password-links/", {
    ...{ id: "requestPasswordLink", group: "Signing in", rules: [204] },
    credentials: "none",
    summary: "Request a link to set a new password by email",
    body: { shape: "RequestPasswordLink", example: { email } },
    answers: {
      200: {
        description:
          "If an account has this address, a link is sent to it. The response is the same if none has.",
      },
    },
    refusals: {
      ...invalidSmall,
      409: "The service can't send links.",
      429: "Too many links were requested; see Retry-After.",
    },
  }),
  operation("post", "/password-links/preview/", {
    ...{ id: "previewPasswordLink", group: "Signing in", rules: [205] },
    credentials: "none",
    summary: "Check a link that sets a new password",
    body: { shape: "PreviewPasswordLink", example: { secret } },
    answers: {
      200: {
        description: "The link is valid; whose password it sets.",
        shape: "PasswordLinkPreview",
      },
    },
    refusals: linkRefusals,
  }),
  operation("post", "/password-links/use/", {
    ...{ id: "usePasswordLink", group: "Signing in", rules: [205] },
    credentials: "none",
    summary: "Set a new password",
    body: { shape: "UsePasswordLink", example: { secret, password } },
    answers: {
      200: { description: "Set. All sessions of the person have ended." },
    },
    refusals: { ...linkRefusals, ...limited },
  }),
] as const;
