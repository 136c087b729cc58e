// Why something fails at an Anthias player, in the operator's language; the sentences of the service are English (V3-126).

import {
  connectionReasons,
  playerReasonIn,
} from "../../../../server/contract/v3/player-reasons.ts";
import { messageFor } from "../../../locales/messages.ts";

/** A sentence that this version does not know, such as one of another kind of player, stays as it is. */
export function playerReasonHere(sentence: string): string {
  const found = playerReasonIn(sentence);
  if (found === null) return sentence;
  const { code } = found;
  const detail = detailHere(found.detail);
  return messageFor("screens.adopted.reasons", code, { detail }) ?? sentence;
}

/** What a connection or another sentence of the service told; anything else is the player's own words. */
function detailHere(detail: string): string {
  const [code] =
    Object.entries(connectionReasons).find(([, text]) => text === detail) ?? [];
  const connection =
    code && messageFor("screens.adopted.connectionReasons", code);
  return connection ?? (detail === "" ? "" : playerReasonHere(detail));
}
