// Passkeys of version 3: adding one to the own account, and signing in with one (V3-211 to V3-214).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { reader, type Reader } from "../reader.ts";
import { filledText, required } from "./v3-values.ts";

const nameLetters = 100;
/** Of what devices make, the longest is an attestation, of which none is requested. */
const partLetters = 16_000;
const identifierLetters = 1400;
const maxTransports = 10;

const moment = z.iso.datetime({ offset: true });

export const passkeyV3 = z.object({
  id: z.string(),
  /** As the person has named it. */
  name: z.string(),
  created_at: moment,
  /** Null: it was never used to sign in. */
  used_at: moment.nullable(),
});
export type PasskeyV3 = Readonly<z.infer<typeof passkeyV3>>;

/** For `navigator.credentials`, in the JSON form of WebAuthn. */
export const passkeyOptionsV3 = z.object({
  options: z.record(z.string(), z.unknown()),
});
export type PasskeyOptionsV3 = Readonly<z.infer<typeof passkeyOptionsV3>>;

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/);
const part = base64url(partLetters);
const identifier = base64url(identifierLetters);

const credential = {
  ...{ id: identifier, rawId: identifier, type: z.literal("public-key") },
  authenticatorAttachment: z.string().max(40).nullish(),
};

const created = z.object({
  ...credential,
  response: z.object({
    ...{ clientDataJSON: part, attestationObject: part },
    transports: z.array(z.string().max(40)).max(maxTransports).optional(),
  }),
});

const asserted = z.object({
  ...credential,
  response: z.object({
    ...{ clientDataJSON: part, authenticatorData: part, signature: part },
    userHandle: part.nullish(),
  }),
});

/** What is in it beyond this shape, such as results of extensions, is left out. */
function credentialReader<Shape extends z.ZodType>(
  shape: Shape,
): Reader<z.infer<Shape>> {
  return reader({ type: "object" }, (raw) => {
    const reading = shape.safeParse(raw);
    return reading.success
      ? { value: reading.data }
      : { sentence: fieldSentences.passkey };
  });
}

export const passkeyAdditionV3 = z.object({
  name: required(filledText(nameLetters)),
  credential: required(credentialReader(created)),
});
export type PasskeyAdditionV3 = Readonly<z.infer<typeof passkeyAdditionV3>>;

export const passkeyAssertionV3 = z.object({
  credential: required(credentialReader(asserted)),
});
export type PasskeyAssertionV3 = Readonly<z.infer<typeof passkeyAssertionV3>>;
