// Why something fails at a player, in the operator's language; the sentences of players and of the service are English (V2-10,
// V3-126).

import { findSentence } from "../../../server/contract/sentence-templates.ts";
import { assetProblems } from "../../../server/contract/v2/asset-problems.ts";
import {
  connectionReasons,
  findPlayerReason,
} from "../../../server/contract/v3/player-reasons.ts";
import { messageFor } from "../../locales/messages.ts";

/** A sentence that this version does not know, such as one of another kind of player, stays as it is. */
export function problemText(sentence: string): string {
  const problem = findSentence(assetProblems, sentence);
  if (problem) {
    const { code, details } = problem;
    return messageFor("assetProblems", code, translated(details)) ?? sentence;
  }
  const reason = findPlayerReason(sentence);
  if (reason === null) return sentence;
  const { code, details } = reason;
  const values = translated(details);
  return messageFor("screens.adopted.reasons", code, values) ?? sentence;
}

function translated(
  details: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [name, detailText(detail)]),
  );
}

/** What a connection told, or another sentence; anything else is a number, a name or the player's own words. */
function detailText(detail: string): string {
  const [code] =
    Object.entries(connectionReasons).find(([, text]) => text === detail) ?? [];
  const connection =
    code && messageFor("screens.adopted.connectionReasons", code);
  return connection ?? problemText(detail);
}
