// Sends the link of an invitation or of a new password by email, where the service has a mail server (V3-199). Neither the link nor
// the address is logged.

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { InvitedV3 } from "../../../contract/v3/v3-people.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { DeliveryError } from "../../alerts/delivery-error.ts";
import { linkMail } from "../../people/link-mail.ts";
import type { Invited } from "../../people/people.ts";
import type { V3 } from "../operation/v3.ts";

type Sent = Pick<InvitedV3, "email">;

/** Before anything is changed. */
export function assertCanSend(
  { mailer }: Pick<V3, "mailer">,
  isWanted: boolean,
): void {
  if (isWanted && mailer === null)
    throw fieldFailure("send_email", serviceSentences["mail-impossible"]);
}

/** The link is valid whether or not it could be sent. */
export async function sendLink(
  { mailer, log }: Pick<V3, "mailer" | "log">,
  isWanted: boolean,
  invited: Pick<Invited, "id">,
  link: string,
  { to, kind }: { readonly to: string; readonly kind: "invitation" | "reset" },
): Promise<Sent> {
  if (!isWanted || mailer === null) return {};
  const { id } = invited;
  try {
    const mail = linkMail(invited, link, kind, mailer.language);
    const result = await mailer.send(to, mail);
    log.info("access.link-sent", { invitation: id, kind });
    return { email: { is_sent: true, result } };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    log.warn("access.link-not-sent", { invitation: id, kind });
    return { email: { is_sent: false, result: error.message } };
  }
}
