// Why something fails at an adopted player: the service's sentences, and the code of each, by which a client writes it in another
// language (V3-126).

import { findSentence, type FoundSentence } from "../sentence-templates.ts";

/** A detail is a number, or what the player or a connection told. */
export const playerReasons = {
  // What has no detail comes first: it is recognized before a sentence that begins in the same way.
  "login-missing": "The player requires a user name and password.",
  "login-wrong": "The player does not accept the user name and password.",
  redirected:
    "The address redirects elsewhere. Enter the address that it redirects to.",
  "response-unreadable":
    "The player accepted the request, but its response cannot be read.",
  "disk-full": "The player's disk is full.",
  "file-missing": "The content service does not have its file at the moment.",
  "processing-failed": "The content service failed to process it.",
  "command-unknown": "Anthias players cannot do this.",
  "not-on-player":
    "This asset is not on the player: none of the screen's playlists contains it.",
  unreachable: "The player cannot be reached: {detail}.",
  "listing-failed": "The player cannot list its assets: {detail}",
  "other-login":
    "The device at this address requires a sign-in method other than a user name and password (status {detail}).",
  "not-anthias":
    "The device at this address is not an Anthias player (status {detail}).",
  "response-too-large": "The player's response is larger than {detail} bytes.",
  "response-status": "The player responded with status {detail}.",
  response: "The player responded: {detail}",
  "processing-error": "The content service failed to process it: {detail}",
  "file-type": "Anthias players do not accept files of type {detail}.",
  "asset-type": "Anthias players cannot show assets of type {detail}.",
  "too-many": "A player can receive at most {detail} assets.",
} as const;
export type PlayerReason = keyof typeof playerReasons;

/** Details of `unreachable`. */
export const connectionReasons = {
  "no-name": "its host name cannot be resolved",
  "no-dns": "no DNS server responded",
  refused: "the connection was refused",
  broken: "the connection was lost",
  "no-route": "there is no route to the host",
  "no-network": "there is no route to the network",
  silent: "it did not respond in time",
  "certificate-expired": "its certificate has expired",
  "certificate-self-signed": "its certificate is self-signed",
  "certificate-unknown": "its certificate was issued by an unknown authority",
  "certificate-name": "its certificate is for another name",
  "private-address": "it resolves to an address on a private network",
  failed: "the connection failed",
} as const;

export function playerReasonText(
  code: PlayerReason,
  detail: string | number = "",
): string {
  return playerReasons[code].replace("{detail}", () => String(detail));
}

/** Null for a sentence that this version does not know. A long one may have lost its end. */
export function findPlayerReason(
  sentence: string,
): FoundSentence<PlayerReason> | null {
  return (
    findSentence(playerReasons, sentence) ?? findSentence(beginnings, sentence)
  );
}

/** Without what follows the detail. */
const beginnings = Object.fromEntries(
  Object.entries(playerReasons).map(([code, template]) => {
    const end = template.indexOf("}");
    return [code, end === -1 ? template : template.slice(0, end + 1)];
  }),
) as Readonly<Record<PlayerReason, string>>;
