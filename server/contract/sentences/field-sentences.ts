// What is wrong with a field, as the sentence after its name (V2-850).

import { sentenceFor } from "../field-error.ts";
import type { SentenceTemplates } from "../sentence-templates.ts";

/** A name in braces stands for a detail. */
export const fieldSentences = {
  required: "is required",
  wrong: "is wrong",
  passkey: "must be a public key credential in the JSON form of WebAuthn",
  "passkey-wrong": "is not valid, or adding the passkey took too long",
  "not-null": "must not be null",
  "not-empty": "must not be empty",
  "not-blank": "must not be blank",
  text: "must be text",
  "null-character": "must not contain a null character",
  "characters-json": "must have at most {limit} characters as JSON",
  characters: "must have at most {limit} characters",
  names: "must have at most {limit} names",
  elements: "must have at most {limit} elements",
  items: "must have at most {limit} items",
  commas: "must have names without commas",
  "whole-number": "must be a whole number from {least} to {most}",
  number: "must be a number from {least} to {most}",
  boolean: "must be true or false",
  choice: "must be one of {choices}",
  moment: "must be a date and time such as 2026-01-31T09:30:00Z",
  "time-seconds": "must be a time of day such as 09:30 or 09:30:00",
  "time-morning": "must be a time of day such as 03:00",
  "time-evening": "must be a time of day such as 22:00",
  zone: "must be a time zone such as Europe/Berlin",
  "iana-zone": "must be an IANA time zone such as Europe/Berlin",
  origins: "must be origins such as https://manager.example.org",
  coordinates: "must be latitude and longitude such as 52.52, 13.405",
  hotkey: "must be a shortcut such as Ctrl+Shift+F9",
  "ascii-line": "must be one line of ASCII text",
  "web-address": "must be an http or https address",
  "service-address": "must be an address such as https://content.example.org",
  "no-login": "must not contain a user name or password",
  "no-query": "must not contain a query or fragment (? or #)",
  proxy:
    "must be a proxy address without a user name or password, such as http://proxy.example.org:3128",
  "token-characters": "must be printable characters without spaces",
  predicate: "is not valid at position {position}: {what}",
  header: "must not contain the header {name}",
  headers: "must have at most {limit} headers",
  "header-ascii": "must have ASCII text as the value of {name}",
  "header-length":
    "must have at most {limit} characters in the value of {name}",
  "email-example": "must be an email address such as ops@example.org",
  email: "must be an email address",
  colon: "must not contain a colon",
  "element-limit": "must have at least {least} element",
  "secret-length": ".secret must be text of {least} to {most} characters",
  "quiet-hours": ".until must differ from quiet_hours.from",
  messages: "must be an array of at most 50 messages",
  "password-length": "must have {least} to {most} characters",
} as const;

/** As in a response: with the field's name in front. */
export const knownFieldSentences = Object.fromEntries(
  Object.entries(fieldSentences).map(([code, sentence]) => [
    code,
    sentenceFor("{field}", sentence),
  ]),
) as SentenceTemplates<keyof typeof fieldSentences>;
