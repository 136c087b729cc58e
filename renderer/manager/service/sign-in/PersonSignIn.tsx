// Signs a person in with email address and password, and with a code where they have a second factor (V3-160).

import { Button, Divider, PasswordInput, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { EmailField } from "../../components/controls/EmailField.tsx";
import { Refusal } from "../../api/refusal.ts";
import { codeRequired } from "../../service-requests/service-requests.ts";
import { useSignInMethods } from "../../service-requests/sign-in-methods.ts";
import { EntranceForm } from "./EntranceForm.tsx";
import { ForgottenPassword } from "./ForgottenPassword.tsx";
import { PasskeySignIn } from "./PasskeySignIn.tsx";
import { OpenidSignIn } from "./OpenidSignIn.tsx";
import { entranceReason, useEntrance } from "./use-entrance.ts";

export function PersonSignIn({
  isOver,
}: {
  /** The session ended by itself. */
  readonly isOver: boolean;
}): ReactNode {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  /** Null: none is needed, as far as is known. */
  const [code, setCode] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const [isForgotten, setIsForgotten] = useState(false);
  const { enter, isPending } = useEntrance();
  const submit = async (): Promise<void> => {
    setReason(null);
    try {
      await enter("/sign-in/", { email, password, code: code ?? "" });
    } catch (error) {
      if (error instanceof Refusal && error.code === codeRequired) setCode("");
      else setReason(entranceReason(error, t("service.signIn.wrong")));
    }
  };
  if (isForgotten)
    return (
      <ForgottenPassword
        email={email}
        onLeave={(typed) => {
          setEmail(typed);
          setPassword("");
          setReason(null);
          setIsForgotten(false);
        }}
      />
    );
  return (
    <EntranceForm
      title={t("service.signIn.title")}
      about={isOver ? t("service.signIn.over") : <bdi>{location.host}</bdi>}
      reason={reason}
      submitLabel={t("session.signIn")}
      isPending={isPending}
      onSubmit={submit}
      below={
        code === null ? (
          <OtherWays
            onForgotten={() => {
              setIsForgotten(true);
            }}
          />
        ) : (
          <Button
            variant="default"
            onClick={() => {
              setCode(null);
              setReason(null);
              setPassword("");
            }}
          >
            {t("service.signIn.back")}
          </Button>
        )
      }
    >
      <EmailField
        autoComplete="username"
        value={email}
        readOnly={code !== null}
        onType={setEmail}
      />
      <PasswordInput
        label={t("service.password")}
        autoComplete="current-password"
        required
        dir="ltr"
        value={password}
        readOnly={code !== null}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
        }}
      />
      {code === null ? null : (
        <TextInput
          label={t("service.code")}
          description={t("service.signIn.codeHelp")}
          autoComplete="one-time-code"
          autoFocus
          required
          dir="ltr"
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value);
          }}
        />
      )}
    </EntranceForm>
  );
}

/** Without a mail server, an administrator helps with a forgotten password (V3-203). */
function OtherWays({
  onForgotten,
}: {
  readonly onForgotten: () => void;
}): ReactNode {
  const { methods, hasFailed, hasPasskeys } = useSignInMethods();
  if (methods === undefined && !hasFailed) return null;
  return (
    <>
      {methods?.can_send_password_links === true ? (
        <Button variant="subtle" onClick={onForgotten}>
          {t("service.forgotten.title")}
        </Button>
      ) : (
        <Text c="dimmed">{t("service.signIn.forgotten")}</Text>
      )}
      {hasPasskeys || methods?.openid ? (
        <Divider label={t("service.openid.or")} />
      ) : null}
      {hasPasskeys ? <PasskeySignIn /> : null}
      {methods?.openid ? <OpenidSignIn label={methods.openid.label} /> : null}
    </>
  );
}
