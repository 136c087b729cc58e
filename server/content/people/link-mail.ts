// Emails with a link that creates an account or sets a new password, in the service's language (V3-199, V3-204, V4-415).

import type { MailLanguage } from "../alerts/mail-language.ts";
import type { Mail } from "../alerts/mailer.ts";
import { invitationHours } from "./invitation-link.ts";
import type { Invited } from "./people.ts";

/** `forgotten` was requested by the person, or by somebody who only knows their address. */
type LinkKind = "invitation" | "reset" | "forgotten";

interface LinkWords {
  readonly subject: (host: string) => string;
  readonly reason: (origin: string) => string;
  readonly open: string;
  readonly warning: string;
  readonly otherwise: string;
}

const english = {
  invitation: {
    subject: (host) => `Invitation to ${host}`,
    reason: (origin) =>
      `You have been invited to the content service at ${origin}.`,
    open: `Open this link within ${invitationHours} hours to create your account:`,
    warning:
      "It works once. Don't forward it: anyone who has it can sign in as you.",
    otherwise:
      "If you didn't expect this message, ignore it, or ask the person who runs the service.",
  },
  reset: {
    subject: (host) => `Set a new password for ${host}`,
    reason: (origin) =>
      `An administrator has reset your password for the content service at ${origin}.`,
    open: `Open this link within ${invitationHours} hours to set a new password:`,
    warning:
      "It works once. Don't forward it: anyone who has it can sign in as you.",
    otherwise:
      "If you didn't expect this message, ignore it, or ask the person who runs the service.",
  },
  forgotten: {
    subject: (host) => `Set a new password for ${host}`,
    reason: (origin) =>
      `A new password was requested for your account at ${origin}.`,
    open: "Open this link within an hour to set it:",
    warning:
      "It works once. Don't forward it: anyone who has it can change your password.",
    otherwise:
      "If you didn't request this, ignore this message. Your password stays as it is.",
  },
} as const satisfies Readonly<Record<LinkKind, LinkWords>>;

const german = {
  invitation: {
    subject: (host) => `Einladung zu ${host}`,
    reason: (origin) =>
      `Sie wurden zum Inhaltsdienst unter ${origin} eingeladen.`,
    open: `Öffnen Sie innerhalb von ${invitationHours} Stunden diesen Link, um Ihr Konto zu erstellen:`,
    warning:
      "Er gilt nur einmal. Leiten Sie ihn nicht weiter: Wer ihn hat, kann sich unter Ihrem Namen anmelden.",
    otherwise:
      "Wenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie, oder fragen Sie die Person, die den Dienst betreibt.",
  },
  reset: {
    subject: (host) => `Neues Passwort für ${host}`,
    reason: (origin) =>
      `Ein Administrator hat Ihr Passwort für den Inhaltsdienst unter ${origin} zurückgesetzt.`,
    open: `Öffnen Sie innerhalb von ${invitationHours} Stunden diesen Link, um ein neues Passwort festzulegen:`,
    warning:
      "Er gilt nur einmal. Leiten Sie ihn nicht weiter: Wer ihn hat, kann sich unter Ihrem Namen anmelden.",
    otherwise:
      "Wenn Sie diese Nachricht nicht erwartet haben, ignorieren Sie sie, oder fragen Sie die Person, die den Dienst betreibt.",
  },
  forgotten: {
    subject: (host) => `Neues Passwort für ${host}`,
    reason: (origin) =>
      `Für Ihr Konto unter ${origin} wurde ein neues Passwort angefordert.`,
    open: "Öffnen Sie innerhalb einer Stunde diesen Link, um es festzulegen:",
    warning:
      "Er gilt nur einmal. Leiten Sie ihn nicht weiter: Wer ihn hat, kann Ihr Passwort ändern.",
    otherwise:
      "Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht. Ihr Passwort bleibt, wie es ist.",
  },
} as const satisfies Readonly<Record<LinkKind, LinkWords>>;

const words: Readonly<
  Record<MailLanguage, Readonly<Record<LinkKind, LinkWords>>>
> = { en: english, de: german };

export function linkMail(
  { id }: Pick<Invited, "id">,
  link: string,
  kind: LinkKind,
  language: MailLanguage,
): Mail {
  const { origin, host } = new URL(link);
  const { subject, reason, open, warning, otherwise } = words[language][kind];
  return {
    id,
    subject: `[Vitrine] ${subject(host)}`,
    text: [reason(origin), "", open, "", link, "", warning, otherwise, ""].join(
      "\n",
    ),
  };
}
