// The link of an invitation or of a new password: sent by email where the service can do that, and otherwise shown once (V3-199).

import type {
  InvitedV3,
  MailV3,
} from "../../../server/contract/v3/v3-people.ts";
import { t } from "../../locales/messages.ts";
import {
  notifyFailure,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { useServiceAnswer } from "../service-requests/service-queries.ts";

/** False until it is known. */
export function useCanSendLinks(): boolean {
  return useServiceAnswer<MailV3>("/mail/").data?.can_send ?? false;
}

/** Shows the link unless it was sent. */
export function handOverLink(
  { link, email: sent }: InvitedV3,
  email: string,
  show: (link: string) => void,
): void {
  if (sent?.is_sent === true) {
    notifySuccess(t("team.linkSent", { email }));
    return;
  }
  if (sent) notifyFailure(t("team.linkNotSent", { email }), sent.result);
  show(link);
}
