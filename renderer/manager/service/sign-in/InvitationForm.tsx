// Accepts an invitation, or sets a new password by such a link, and signs the person in (V3-161, V3-143).

import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { InvitationPreviewV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { EmailField } from "../../components/controls/EmailField.tsx";
import { EntranceForm } from "./EntranceForm.tsx";
import { NewPasswordField, newPasswordFault } from "./NewPasswordField.tsx";
import { LinkCheck, type LinkProps } from "./LinkCheck.tsx";
import { entranceReason, useEntrance } from "./use-entrance.ts";

export function InvitationForm(props: LinkProps): ReactNode {
  return (
    <LinkCheck<InvitationPreviewV3>
      {...props}
      previewPath="/invitations/preview/"
      invalid={t("service.invitation.invalid")}
      loadFailed={t("service.invitation.loadFailed")}
    >
      {(invitation) => <Acceptance {...props} invitation={invitation} />}
    </LinkCheck>
  );
}

function Acceptance({
  secret,
  isSignedIn,
  onLeave,
  invitation,
}: LinkProps & { readonly invitation: InvitationPreviewV3 }): ReactNode {
  const { email, is_reset: isReset } = invitation;
  const [typedEmail, setTypedEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const { enter, isPending } = useEntrance();
  const submit = async (): Promise<void> => {
    const found = newPasswordFault(password);
    setFault(found);
    if (found !== null) return;
    setReason(null);
    try {
      await enter("/invitations/accept/", {
        ...{ secret, password },
        ...(isReset ? {} : { name }),
        ...(email === null && { email: typedEmail }),
      });
      onLeave();
    } catch (error) {
      setReason(entranceReason(error, t("service.signIn.wrong")));
    }
  };
  return (
    <EntranceForm
      title={
        isReset
          ? t("service.invitation.resetTitle")
          : t("service.invitation.title")
      }
      about={
        <>
          {email === null
            ? t("service.invitation.first")
            : t("service.invitation.for", { email })}
          {isSignedIn ? (
            <>
              <br />
              {t("service.invitation.replaces")}
            </>
          ) : null}
        </>
      }
      reason={reason}
      submitLabel={
        isReset
          ? t("service.invitation.setPassword")
          : t("service.invitation.accept")
      }
      isPending={isPending}
      onSubmit={submit}
    >
      {email === null ? (
        <EmailField
          autoComplete="username"
          value={typedEmail}
          onType={setTypedEmail}
        />
      ) : (
        // So that a password manager knows whose password it is.
        <input type="hidden" autoComplete="username" value={email} readOnly />
      )}
      {isReset ? null : (
        <TextInput
          label={t("service.name")}
          autoComplete="name"
          autoFocus={email !== null}
          required
          maxLength={200}
          dir="auto"
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
      )}
      <NewPasswordField
        autoFocus={isReset}
        value={password}
        fault={fault}
        onType={(text) => {
          setPassword(text);
          setFault(null);
        }}
      />
    </EntranceForm>
  );
}
