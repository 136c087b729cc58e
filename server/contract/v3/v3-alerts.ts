// Alerts of version 3: rules, incidents and the messages sent about them (V3-90 to V3-99).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { got, sentenceFor } from "../field-error.ts";
import type { ScreenState } from "../link/screen-report.ts";
import { schemaOf } from "../json-schema.ts";
import { reader, type Reader } from "../reader.ts";
import { isZone } from "./zone-name.ts";
import {
  elements,
  filledText,
  flag,
  instant,
  integer,
  jsonOf,
  listSchema,
  oneOf,
  read,
  repeated,
  required,
} from "./v3-values.ts";

/** States of a screen that a rule can be about. */
export const alertStates = [
  "wrong",
  "incomplete",
  "offline",
  "never-seen",
] as const satisfies readonly ScreenState[];
export type AlertState = (typeof alertStates)[number];

const maxGroups = 1000;
const maxEmails = 10;
const maxEmailLength = 254;
const minSecretLength = 16;
const maxSecretLength = 200;
/** A week. */
const maxAfterSeconds = 604_800;
const defaultAfterSeconds = 300;
const maxRepeated = 500;

const moment = z.iso.datetime({ offset: true });
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

const quietHours = z.object({
  /** `22:00` */
  from: z.string().regex(timeOfDay),
  /** Earlier than `from`: on the next day. */
  until: z.string().regex(timeOfDay),
  /** IANA name. */
  timezone: z.string(),
});
export type QuietHours = Readonly<z.infer<typeof quietHours>>;

/** A rule as every operation returns it (V3-90). */
export const alertRuleV3 = z.object({
  id: z.string(),
  name: z.string(),
  is_enabled: z.boolean(),
  states: z.array(z.enum(alertStates)),
  /** How long a screen is in one of these states before an incident is opened. */
  after_seconds: z.int().nonnegative(),
  /** Empty: all screens. A deleted group has no name, and no screens. */
  groups: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  /** The secret is never returned (V3-91). */
  webhook: z
    .object({ url: z.string(), has_secret: z.literal(true) })
    .nullable(),
  emails: z.array(z.string()),
  quiet_hours: quietHours.nullable(),
  created_at: moment,
});
export type AlertRuleV3 = Readonly<z.infer<typeof alertRuleV3>>;

export const deliveryStates = [
  "waiting",
  "sent",
  "failed",
  "canceled",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One target of one message (V3-95). */
const alertDeliveryV3 = z.object({
  /** The `id` in the message itself. */
  message_id: z.string(),
  event: z.enum(["opened", "ended"]),
  is_digest: z.boolean(),
  target: z.enum(["webhook", "email"]),
  address: z.string(),
  state: z.enum(deliveryStates),
  tries: z.int().nonnegative(),
  created_at: moment,
  /** Of the last attempt. */
  tried_at: moment.nullable(),
  /** What the last attempt resulted in. */
  result: z.string().nullable(),
});
export type AlertDeliveryV3 = Readonly<z.infer<typeof alertDeliveryV3>>;

/** An incident: a screen that was in one of the states of a rule for long enough (V3-93). */
export const alertIncidentV3 = z.object({
  id: z.string(),
  rule_id: z.string(),
  rule_name: z.string(),
  screen_id: z.string(),
  screen_name: z.string(),
  /** The latest one of those that the rule is about. */
  state: z.enum(alertStates),
  reason: z.string(),
  /** When the screen came into such a state. */
  since: moment,
  opened_at: moment,
  /** Null while it is open. */
  ended_at: moment.nullable(),
  /** `excluded`: the rule no longer concerns the screen. */
  end_cause: z.enum(["recovered", "excluded"]).nullable(),
  acknowledged_at: moment.nullable(),
  /** Name of the API key. */
  acknowledged_by: z.string().nullable(),
  messages: z.array(alertDeliveryV3),
});
export type AlertIncidentV3 = Readonly<z.infer<typeof alertIncidentV3>>;

/** 200 of `POST /alerts/rules/{id}/test/` (V3-92). */
export const alertTestV3 = z.object({
  results: z.array(
    z.object({
      target: z.enum(["webhook", "email"]),
      address: z.string(),
      is_sent: z.boolean(),
      result: z.string(),
    }),
  ),
});
export type AlertTestV3 = Readonly<z.infer<typeof alertTestV3>>;

const messageIncident = z.object({
  id: z.string(),
  screen: z.object({ id: z.string(), name: z.string() }),
  state: z.enum(alertStates),
  reason: z.string(),
  since: moment,
  opened_at: moment,
  ended_at: moment.nullable(),
  end_cause: z.enum(["recovered", "excluded"]).nullable(),
});

/** `count` is that of all; `incidents` are the first of them (V3-96). */
const incidentsOfMessage = z.object({
  count: z.int().nonnegative(),
  incidents: z.array(messageIncident),
});

/** The body of a webhook request (V3-96). */
export const alertMessage = z.object({
  /** The same in every attempt. */
  id: z.string(),
  type: z.enum(["incident.opened", "incident.ended", "digest", "test"]),
  created_at: moment,
  rule: z.object({ id: z.string(), name: z.string() }),
  opened: incidentsOfMessage,
  ended: incidentsOfMessage,
});
export type AlertMessage = Readonly<z.infer<typeof alertMessage>>;
export type MessageIncident = Readonly<z.infer<typeof messageIncident>>;

const nullOr = <T>(judge: Reader<T>): Reader<T | null> =>
  reader<T | null>(
    { ...judge.schema, type: [judge.schema["type"], "null"] },
    (raw) => (raw === null || raw === "" ? { value: null } : judge(raw)),
  );

/** A list without repetitions. */
const listOf = <T>(
  most: number,
  least: number,
  judge: Reader<T>,
): Reader<readonly T[]> =>
  reader({ ...listSchema(most, judge.schema), minItems: least }, (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array${got(json)}` };
    if (json.length < least)
      return {
        sentence: composeSentence(fieldSentences["element-limit"], { least }),
      };
    if (json.length > most)
      return {
        sentence: composeSentence(fieldSentences.elements, { limit: most }),
      };
    const values = new Set<T>();
    for (const [at, each] of (json as unknown[]).entries()) {
      const reading = judge(each);
      if ("sentence" in reading)
        return { sentence: `[${at}] ${reading.sentence}` };
      values.add(reading.value);
    }
    return { value: [...values] };
  });

const alertState = oneOf(alertStates);

const emailAddress = z.email().max(maxEmailLength);

const email = reader<string>(
  { type: "string", format: "email", maxLength: maxEmailLength },
  (raw) => {
    const parsed = emailAddress.safeParse(raw);
    return parsed.success
      ? { value: parsed.data }
      : {
          sentence: fieldSentences["email-example"] + got(raw),
        };
  },
);

export interface WebhookInput {
  readonly url: string;
  /** Undefined keeps the one that is stored. */
  readonly secret: string | undefined;
}

const webhookSchema = {
  type: "object",
  properties: {
    url: { type: "string", format: "uri" },
    secret: {
      type: ["string", "null"],
      minLength: minSecretLength,
      maxLength: maxSecretLength,
    },
  },
  required: ["url"],
};

/** Never quotes what was sent: it may be the secret. */
const webhook = reader<WebhookInput>(webhookSchema, (raw) => {
  const json = jsonOf(raw);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { sentence: "must be an object with url and secret, or null" };
  const { url, secret } = json as Readonly<Record<string, unknown>>;
  if (
    typeof url !== "string" ||
    url.length > assetLimits.addressLetters ||
    !/^https?:\/\/[^\s/?#]\S*$/i.test(url)
  )
    return { sentence: sentenceFor(".url", fieldSentences["web-address"]) };
  if (/^[^/]+\/\/[^/?#]*@/.test(url))
    return { sentence: sentenceFor(".url", fieldSentences["no-login"]) };
  if (secret === undefined || secret === null)
    return { value: { url, secret: undefined } };
  return typeof secret === "string" &&
    secret.length >= minSecretLength &&
    secret.length <= maxSecretLength
    ? { value: { url, secret } }
    : {
        sentence: composeSentence(fieldSentences["secret-length"], {
          least: minSecretLength,
          most: maxSecretLength,
        }),
      };
});

const quiet = reader<QuietHours>(schemaOf(quietHours), (raw) => {
  const json = jsonOf(raw);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return {
      sentence: `must be an object with from, until and timezone, or null${got(json)}`,
    };
  const { from, until, timezone } = json as Readonly<Record<string, unknown>>;
  for (const [name, time] of Object.entries({ from, until }))
    if (typeof time !== "string" || !timeOfDay.test(time))
      return {
        sentence:
          sentenceFor(`.${name}`, fieldSentences["time-evening"]) + got(time),
      };
  if (from === until) return { sentence: fieldSentences["quiet-hours"] };
  if (typeof timezone !== "string" || !isZone(timezone))
    return {
      sentence:
        sentenceFor(".timezone", fieldSentences["iana-zone"]) + got(timezone),
    };
  return { value: { from: String(from), until: String(until), timezone } };
});

const groups = elements<string>(maxGroups, (_element, id) => ({ value: id }));
const states = listOf(alertStates.length, 1, alertState);
const name = filledText(assetLimits.titleLetters);

const optionalFields = {
  is_enabled: read(flag).optional(),
  after_seconds: read(integer(0, maxAfterSeconds)).optional(),
  groups: read(groups).optional(),
  webhook: read(nullOr(webhook)).optional(),
  emails: read(listOf(maxEmails, 0, email)).optional(),
  quiet_hours: read(nullOr(quiet)).optional(),
};

/** The body of `POST /alerts/rules/` (V3-90). */
export const alertRuleCreateV3 = z.object({
  ...optionalFields,
  name: required(name),
  states: required(states),
  after_seconds: optionalFields.after_seconds.default(defaultAfterSeconds),
});

/** The body of PUT and PATCH; omitted fields stay (V3-8). */
export const alertRuleUpdateV3 = z.object({
  ...optionalFields,
  name: read(name).optional(),
  states: read(states).optional(),
});
export type AlertRuleUpdateV3 = Readonly<z.infer<typeof alertRuleUpdateV3>>;

const ids = read(repeated(maxRepeated, filledText(100))).optional();

/** The query of `GET /alerts/incidents/` (V3-93): those that were under way in this time. */
export const alertIncidentsQueryV3 = z.object({
  rule: ids,
  screen: ids,
  is_open: read(flag).optional(),
  since: read(instant).optional(),
  until: read(instant).optional(),
});
