// Sets a new password by a link that the person requested, who then signs in with it (V3-205).

import { Button, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { PasswordLinkPreviewV3 } from "../../../../server/contract/v3/v3-people.ts";
import { t } from "../../../locales/messages.ts";
import { serviceKey } from "../../service-requests/service-queries.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { EntranceForm } from "./EntranceForm.tsx";
import { LinkCheck, type LinkProps } from "./LinkCheck.tsx";
import { NewPasswordField, newPasswordFault } from "./NewPasswordField.tsx";
import { entranceReason } from "./use-entrance.ts";

export function PasswordLinkForm(props: LinkProps): ReactNode {
  const [isSet, setIsSet] = useState(false);
  if (isSet)
    return (
      <>
        <Title order={1} fz={20} lh="28px">
          {t("service.passwordLink.doneTitle")}
        </Title>
        <Text role="status" mt={4}>
          {t("service.passwordLink.done")}
        </Text>
        <Button fullWidth mt={16} autoFocus onClick={props.onLeave}>
          {props.isSignedIn
            ? t("service.invitation.toManager")
            : t("service.invitation.toSignIn")}
        </Button>
      </>
    );
  return (
    <LinkCheck<PasswordLinkPreviewV3>
      {...props}
      previewPath="/password-links/preview/"
      invalid={t("service.passwordLink.invalid")}
      loadFailed={t("service.passwordLink.loadFailed")}
    >
      {({ email }) => (
        <NewPassword
          secret={props.secret}
          email={email}
          onSet={() => {
            setIsSet(true);
          }}
        />
      )}
    </LinkCheck>
  );
}

function NewPassword({
  secret,
  email,
  onSet,
}: {
  readonly secret: string;
  readonly email: string;
  readonly onSet: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const submit = async (): Promise<void> => {
    const found = newPasswordFault(password);
    setFault(found);
    if (found !== null) return;
    setReason(null);
    setIsPending(true);
    try {
      await requestService("POST", "/password-links/use/", {
        ...{ secret, password },
      });
      // A session in this browser may have ended, too.
      await client.invalidateQueries({ queryKey: serviceKey("/sign-in/") });
      onSet();
    } catch (error) {
      setReason(entranceReason(error, t("service.signIn.wrong")));
    } finally {
      setIsPending(false);
    }
  };
  return (
    <EntranceForm
      title={t("service.invitation.resetTitle")}
      about={t("service.invitation.for", { email })}
      reason={reason}
      submitLabel={t("service.invitation.setPassword")}
      isPending={isPending}
      onSubmit={submit}
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        autoFocus
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
