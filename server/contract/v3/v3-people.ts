// People of version 3: signing in, the own account, and what administrators manage (V3-160 to V3-170, V3-203 to V3-205).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { passwordFault, passwordLength } from "../../core/password.ts";
import { roles } from "../../core/role.ts";
import { got } from "../field-error.ts";
import { reader } from "../reader.ts";
import { limitLabels, limitLabelsInput } from "./v3-access.ts";
import { filledText, flag, oneOf, read, required, text } from "./v3-values.ts";

const nameLetters = 200;
const emailLetters = 254;
const secretLetters = 200;
/** More than any password may have, so that a longer one is wrong rather than invalid. */
const givenLetters = 1000;

const moment = z.iso.datetime({ offset: true });

/** A person as every operation returns it. */
export const personV3 = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Null: no limit. */
  labels: limitLabels,
  is_disabled: z.boolean(),
  /** False for one who signs in with a provider only, and for one whose password was reset. */
  has_password: z.boolean(),
  has_second_factor: z.boolean(),
  created_at: moment,
  last_sign_in_at: moment.nullable(),
});
export type PersonV3 = Readonly<z.infer<typeof personV3>>;

/** Who is signed in; null: nobody. */
export const signedInV3 = z.object({ person: personV3.nullable() });
export type SignedInV3 = Readonly<z.infer<typeof signedInV3>>;

/** 401 for a right password that is not enough. */
export const codeRequiredV3 = z.object({
  detail: z.string(),
  code_required: z.literal(true),
});

export const sessionV3 = z.object({
  id: z.string(),
  /** The browser, as it names itself. */
  agent: z.string(),
  is_current: z.boolean(),
  created_at: moment,
  used_at: moment,
});
export type SessionV3 = Readonly<z.infer<typeof sessionV3>>;

export const invitationV3 = z.object({
  id: z.string(),
  /** Null: of the first person, who states it. */
  email: z.string().nullable(),
  role: z.enum(roles),
  labels: limitLabels,
  /** The person who sets a new password; null: a new one. */
  person_id: z.string().nullable(),
  created_at: moment,
  expires_at: moment,
});
export type InvitationV3 = Readonly<z.infer<typeof invitationV3>>;

/** Its secret is returned only here. */
export const invitedV3 = z.object({
  id: z.string(),
  link: z.string(),
  /** How sending it went; left out if it was not to be sent (V3-199). */
  email: z.object({ is_sent: z.boolean(), result: z.string() }).optional(),
});
export type InvitedV3 = Readonly<z.infer<typeof invitedV3>>;

/** What the holder of a link has to state. */
export const invitationPreviewV3 = z.object({
  /** Null: the person states it. */
  email: z.string().nullable(),
  /** Whether the person has an account already, and only sets a new password. */
  is_reset: z.boolean(),
});
export type InvitationPreviewV3 = Readonly<z.infer<typeof invitationPreviewV3>>;

/** How people can sign in here (V3-203). */
export const signInMethodsV3 = z.object({
  /** Whether people can request a link for a new password themselves. */
  can_send_password_links: z.boolean(),
  /** Whether browsers can use passkeys at the address of this request (V3-212). */
  passkeys: z.boolean(),
  /** The provider of OpenID Connect; null: there is none. */
  openid: z.object({ label: z.string() }).nullable(),
});
export type SignInMethodsV3 = Readonly<z.infer<typeof signInMethodsV3>>;

/** Where the browser signs in with the provider (V3-207). */
export const openidAddressV3 = z.object({ address: z.string() });
export type OpenidAddressV3 = Readonly<z.infer<typeof openidAddressV3>>;

/** Whose password the link sets. */
export const passwordLinkPreviewV3 = z.object({ email: z.string() });
export type PasswordLinkPreviewV3 = Readonly<
  z.infer<typeof passwordLinkPreviewV3>
>;

export const secondFactorV3 = z.object({
  /** In base32, for typing. */
  secret: z.string(),
  /** `otpauth://…`, for a QR code. */
  address: z.string(),
});
export type SecondFactorV3 = Readonly<z.infer<typeof secondFactorV3>>;

export const recoveryCodesV3 = z.object({
  recovery_codes: z.array(z.string()),
});
export type RecoveryCodesV3 = Readonly<z.infer<typeof recoveryCodesV3>>;

const email = reader(
  { type: "string", format: "email", maxLength: emailLetters },
  (raw) => {
    const reading = text(emailLetters)(raw);
    if ("sentence" in reading) return reading;
    const value = reading.value.trim();
    return /^[^\s@]+@[^\s@]+$/.test(value)
      ? { value }
      : { sentence: fieldSentences.email + got(raw) };
  },
);

/** A sentence about it never quotes it. */
const newPassword = reader<string>(
  { type: "string", format: "password", minLength: passwordLength.least },
  (raw) => {
    if (typeof raw !== "string") return { sentence: fieldSentences.text };
    const fault = passwordFault(raw);
    return fault === null ? { value: raw } : { sentence: fault };
  },
);

const given = reader<string>(
  { type: "string", maxLength: givenLetters },
  (raw) =>
    typeof raw === "string" && raw.length <= givenLetters
      ? { value: raw }
      : { sentence: fieldSentences.text },
);

export const signInV3 = z.object({
  email: required(given),
  password: required(given),
  /** Of the authenticator app, or a recovery code. */
  code: read(given).default(""),
});

export const acceptInvitationV3 = z.object({
  secret: required(text(secretLetters)),
  password: required(newPassword),
  name: read(filledText(nameLetters)).optional(),
  email: read(email).optional(),
});

export const previewInvitationV3 = z.object({
  secret: required(text(secretLetters)),
});

export const passwordLinkRequestV3 = z.object({ email: required(email) });

export const previewPasswordLinkV3 = z.object({
  secret: required(text(secretLetters)),
});

export const passwordLinkUseV3 = z.object({
  secret: required(text(secretLetters)),
  password: required(newPassword),
});

const role = oneOf(roles);

/** Whether the link is sent to the person (V3-199). */
const send_email = read(flag).default(false);

export const invitationCreateV3 = z.object({
  email: required(email),
  role: required(role),
  labels: limitLabelsInput,
  send_email,
});

export const personResetV3 = z.object({ send_email });

/** 200 of `GET /mail/` (V3-199). */
export const mailV3 = z.object({ can_send: z.boolean() });
export type MailV3 = Readonly<z.infer<typeof mailV3>>;

export const personUpdateV3 = z.object({
  name: read(filledText(nameLetters)).optional(),
  role: read(role).optional(),
  labels: limitLabelsInput,
  is_disabled: read(flag).optional(),
});

export const accountUpdateV3 = z.object({
  name: read(filledText(nameLetters)).optional(),
  password: read(newPassword).optional(),
  /** Required with `password`. */
  current_password: read(given).optional(),
});

/** For what a session alone is not enough. */
export const passwordConfirmedV3 = z.object({ password: required(given) });

export const codeV3 = z.object({ code: required(given) });
