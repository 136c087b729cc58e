// Emails with a link that creates an account or sets a new password, in English like alerts (V3-199, V3-204).

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

/** Requested by the person, or by somebody who only knows their address. */
export function forgottenPasswordMail(id: string, link: string): Mail {
  const { origin, host } = new URL(link);
  return {
    id,
    subject: `[Vitrine] Set a new password for ${host}`,
    text: [
      `A new password was requested for your account at ${origin}.`,
      "",
      "Open this link within an hour to set it:",
      "",
      link,
      "",
      "It works once. Don't forward it: anyone who has it can change your password.",
      "If you didn't request this, ignore this message. Your password stays as it is.",
      "",
    ].join("\n"),
  };
}
