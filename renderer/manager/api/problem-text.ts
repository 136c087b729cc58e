// Why an asset cannot play, in the operator's language; the player's sentences are English (V2-10).

import { assetProblemIn } from "../../../server/contract/v2/asset-problems.ts";
import { connectionReasons } from "../../../server/contract/v3/player-reasons.ts";
import { messageFor } from "../../locales/messages.ts";

/** A sentence that this version does not know, such as the words of an app, stays as it is. */
export function problemText(sentence: string): string {
  const problem = assetProblemIn(sentence);
  if (problem === null) return sentence;
  const { code, details } = problem;
  const values = Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [name, detailText(detail)]),
  );
  return messageFor("assetProblems", code, values) ?? sentence;
}

/** What a connection told, or another of these sentences; anything else is a number or a name. */
function detailText(detail: string): string {
  const [code] =
    Object.entries(connectionReasons).find(([, text]) => text === detail) ?? [];
  return (
    (code && messageFor("screens.adopted.connectionReasons", code)) ??
    problemText(detail)
  );
}
