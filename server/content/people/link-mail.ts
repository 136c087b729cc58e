// The email with a link that creates an account or sets a new password, in English like alerts (V3-199).

import type { Mail } from "../alerts/mailer.ts";
import { invitationHours } from "./invitation-link.ts";
import type { Invited } from "./people.ts";

export function linkMail(
  { id }: Pick<Invited, "id">,
  link: string,
  kind: "invitation" | "reset",
): Mail {
  const { origin, host } = new URL(link);
  const isReset = kind === "reset";
  return {
    id,
    subject: isReset
      ? `[Vitrine] Set a new password for ${host}`
      : `[Vitrine] Invitation to ${host}`,
    text: [
      isReset
        ? `An administrator has reset your password for the content service at ${origin}.`
        : `You have been invited to the content service at ${origin}.`,
      "",
      isReset
        ? `Open this link within ${invitationHours} hours to set a new password:`
        : `Open this link within ${invitationHours} hours to create your account:`,
      "",
      link,
      "",
      "It works once. Don't forward it: anyone who has it can sign in as you.",
      "If you didn't expect this message, ignore it, or ask the person who runs the service.",
      "",
    ].join("\n"),
  };
}
