// Turns the second factor of the person on and off (V3-165).

import {
  Box,
  Button,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState, type ReactNode } from "react";
import type {
  RecoveryCodesV3,
  SecondFactorV3,
} from "../../../server/contract/v3/v3-people.ts";
import { t } from "../../locales/messages.ts";
import { useRefusal } from "../components/outcomes/use-attempt.ts";
import { CopyButton } from "../components/controls/CopyButton.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { notifySuccess } from "../components/outcomes/outcome.ts";
import { useFreshSecret } from "../components/secrets/fresh-secrets.ts";
import { usePerson } from "../service-requests/person.ts";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { confirmationReason } from "./confirmation-reason.ts";
import { QrCode } from "./QrCode.tsx";

const path = "/account/second-factor/";

type Step =
  | { readonly kind: "none" | "password" | "done" }
  | { readonly kind: "code"; readonly begun: SecondFactorV3 };

export function SecondFactorPanel(): ReactNode {
  const { has_second_factor: isOn } = usePerson();
  const [step, setStep] = useState<Step>({ kind: "none" });
  // One in each line.
  const [codes, setCodes] = useFreshSecret("account.codes");
  const refetch = useServiceRefetch();
  const begin = async (password: string): Promise<void> => {
    if (isOn) {
      await requestService("DELETE", path, { password });
      await refetch("/sign-in/", "/people/");
      notifySuccess(t("account.factor.removed"));
      setStep({ kind: "none" });
      return;
    }
    const begun = await requestService<SecondFactorV3>("POST", path, {
      password,
    });
    setStep({ kind: "code", begun });
  };
  const confirm = async (code: string): Promise<void> => {
    const { recovery_codes: made } = await requestService<RecoveryCodesV3>(
      ...(["PUT", path, { code }] as const),
    );
    // First: the service doesn't return them again.
    setCodes({ name: t("account.factor.codes"), secret: made.join("\n") });
    setStep({ kind: "done" });
    await refetch("/sign-in/", "/people/");
  };
  const close = (): void => {
    setStep({ kind: "none" });
  };
  return (
    <Panel
      title={t("account.factor.title")}
      about={isOn ? t("account.factor.on") : t("account.factor.off")}
      actions={
        step.kind === "none" && codes === null ? (
          <Button
            variant="default"
            onClick={() => {
              setStep({ kind: "password" });
            }}
          >
            {isOn ? t("account.factor.remove") : t("account.factor.setUp")}
          </Button>
        ) : undefined
      }
    >
      {step.kind === "password" ? (
        <OneField
          isPassword
          label={t("account.password.current")}
          submit={isOn ? t("account.factor.remove") : t("account.factor.next")}
          onSubmit={begin}
          onCancel={close}
        />
      ) : step.kind === "code" ? (
        <>
          <Group align="flex-start" gap={24} px={16} pb={16}>
            <QrCode text={step.begun.address} label={t("account.factor.qr")} />
            <Stack gap={8} flex="1 1 240px" miw={0}>
              <Text>{t("account.factor.scan")}</Text>
              <Text c="dimmed">{t("account.factor.type")}</Text>
              <Group gap={8} wrap="nowrap">
                <Box
                  component="code"
                  dir="ltr"
                  miw={0}
                  style={{ overflowWrap: "anywhere", userSelect: "all" }}
                  data-secret
                >
                  {step.begun.secret}
                </Box>
                <CopyButton
                  text={step.begun.secret}
                  label={t("account.factor.copySecret")}
                />
              </Group>
            </Stack>
          </Group>
          <OneField
            label={t("service.code")}
            submit={t("account.factor.confirm")}
            onSubmit={confirm}
            onCancel={close}
          />
        </>
      ) : codes ? (
        <RecoveryCodes
          codes={codes.secret.split("\n")}
          takesFocus={step.kind === "done"}
          onKept={() => {
            setCodes(null);
            close();
          }}
        />
      ) : null}
    </Panel>
  );
}

function OneField(props: {
  readonly isPassword?: boolean;
  readonly label: string;
  readonly submit: string;
  readonly onSubmit: (value: string) => Promise<void>;
  readonly onCancel: () => void;
}): ReactNode {
  const [value, setValue] = useState("");
  const { isUnderWay, attempt, atField, forget } =
    useRefusal(confirmationReason);
  const field = {
    ...{ flex: "1 1 240px", label: props.label, dir: "ltr", value },
    ...{ required: true, autoFocus: true, ...atField },
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      setValue(event.currentTarget.value);
      forget();
    },
  } as const;
  return (
    <form
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(() => props.onSubmit(value.trim()));
      }}
    >
      {props.isPassword ? (
        <PasswordInput {...field} autoComplete="current-password" />
      ) : (
        <TextInput
          {...field}
          autoComplete="one-time-code"
          inputMode="numeric"
        />
      )}
      <Button type="submit" loading={isUnderWay}>
        {props.submit}
      </Button>
      <Button variant="default" onClick={props.onCancel}>
        {t("manager.cancel")}
      </Button>
    </form>
  );
}

function RecoveryCodes({
  codes,
  takesFocus,
  onKept,
}: {
  readonly codes: readonly string[];
  /** Not where they only come back into view. */
  readonly takesFocus: boolean;
  readonly onKept: () => void;
}): ReactNode {
  return (
    <Stack
      gap={8}
      px={16}
      pb={16}
      role="group"
      aria-label={t("account.factor.codes")}
    >
      <Text fw={600}>{t("account.factor.codes")}</Text>
      <Text c="dimmed">{t("account.factor.codesAbout")}</Text>
      <Box
        component="ul"
        className="recovery-codes"
        dir="ltr"
        style={{ userSelect: "all" }}
        data-secret
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Box>
      <Group gap={8}>
        <CopyButton
          text={codes.join("\n")}
          label={t("account.factor.copyCodes")}
          autoFocus={takesFocus}
        />
        <Button onClick={onKept}>{t("settings.tokens.copied")}</Button>
      </Group>
    </Stack>
  );
}
