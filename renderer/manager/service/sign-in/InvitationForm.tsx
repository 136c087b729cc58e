// Accepts an invitation, or sets a new password by such a link, and signs the person in (V3-161, V3-143).

import {
  Button,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { InvitationPreviewV3 } from "../../../../server/contract/v3/v3-people.ts";
import {
  passwordFault,
  passwordLength,
} from "../../../../server/core/password.ts";
import { t } from "../../../locales/messages.ts";
import { EmailField } from "../../components/controls/EmailField.tsx";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { reasonOf } from "../../api/reason.ts";
import { Refusal } from "../../api/refusal.ts";
import { requestService } from "../../service-requests/service-requests.ts";
import { invitationKey } from "./invalidate-pages.ts";
import { entranceReason, useEntrance } from "./use-entrance.ts";

interface Props {
  readonly secret: string;
  /** In this browser, as any person. */
  readonly isSignedIn: boolean;
  readonly onLeave: () => void;
}

export function InvitationForm(props: Props): ReactNode {
  const { secret, isSignedIn, onLeave } = props;
  const invitation = useQuery({
    queryKey: [invitationKey, secret],
    queryFn: () =>
      requestService<InvitationPreviewV3>("POST", "/invitations/preview/", {
        secret,
      }),
    ...{ retry: false, gcTime: 0 },
  });
  const { data, error } = invitation;
  const isInvalid =
    error instanceof Refusal && ["not-found", "invalid"].includes(error.code);
  const leave = (
    <Button variant="default" fullWidth mt={16} onClick={onLeave}>
      {isSignedIn
        ? t("service.invitation.toManager")
        : t("service.invitation.toSignIn")}
    </Button>
  );
  if (isInvalid)
    return (
      <>
        <Title order={1} fz={20} lh="28px">
          {t("service.invitation.invalidTitle")}
        </Title>
        <Text role="alert" mt={4}>
          {t("service.invitation.invalid")}
        </Text>
        {leave}
      </>
    );
  if (error !== null)
    return (
      <ErrorAlert
        sentence={t("service.invitation.loadFailed")}
        reason={reasonOf(error)}
        isTrying={invitation.isFetching}
        onTryAgain={() => {
          invitation.refetch().catch(notifyInternalError);
        }}
      />
    );
  if (data === undefined)
    return (
      <Text className="after-a-moment" c="dimmed">
        {t("manager.loading")}
      </Text>
    );
  return (
    <>
      <Acceptance {...props} invitation={data} />
      {leave}
    </>
  );
}

function Acceptance({
  secret,
  isSignedIn,
  onLeave,
  invitation,
}: Props & { readonly invitation: InvitationPreviewV3 }): ReactNode {
  const { email, is_reset: isReset } = invitation;
  const [typedEmail, setTypedEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const { enter, isPending } = useEntrance();
  const { least, most } = passwordLength;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    if (passwordFault(password) !== null) {
      setFault(t("settings.password.invalid", { least, most }));
      return;
    }
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
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <div>
        <Title order={1} fz={20} lh="28px">
          {isReset
            ? t("service.invitation.resetTitle")
            : t("service.invitation.title")}
        </Title>
        <Text c="dimmed" mt={4}>
          {email === null
            ? t("service.invitation.first")
            : t("service.invitation.for", { email })}
        </Text>
        {isSignedIn ? (
          <Text c="dimmed">{t("service.invitation.replaces")}</Text>
        ) : null}
      </div>
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
      <PasswordInput
        label={t("settings.password.new", { count: least })}
        autoComplete="new-password"
        autoFocus={isReset}
        required
        dir="ltr"
        value={password}
        error={fault}
        errorProps={{ role: "alert" }}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setFault(null);
        }}
      />
      {reason === null ? null : (
        <Text role="alert" c="var(--fault)">
          {reason}
        </Text>
      )}
      <Button type="submit" loading={isPending}>
        {isReset
          ? t("service.invitation.setPassword")
          : t("service.invitation.accept")}
      </Button>
    </Stack>
  );
}
