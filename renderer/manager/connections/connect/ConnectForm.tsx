// Form that connects a content service: address and token, checked live; its version is detected.

import {
  Box,
  Button,
  Group,
  PasswordInput,
  Stack,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { IconCloudPlus } from "@tabler/icons-react";
import { useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { problemText } from "../../api/problem-text.ts";
import { reasonOf } from "../../api/reason.ts";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { Refusal } from "../../api/refusal.ts";
import { useFocusBack } from "../../components/focus/focus-back.ts";
import { useMoment } from "../../components/use-moment.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { can } from "../../place/abilities.ts";
import { formats } from "../../../locales/language.ts";
import { messageFor, plainMessage, t } from "../../../locales/messages.ts";
import { connectedTo, tryToConnect } from "./connect.ts";
import { beginAttempt } from "./connection-attempt.ts";
import { NearbyServices } from "./NearbyServices.tsx";
import { useRefetchSync } from "../state/use-sync.ts";

type Field = "base_url" | "token" | "labels";

interface FormError {
  readonly field: Field;
  readonly sentence: string;
}

interface Props {
  readonly onClose: (() => void) | null;
  /** Called instead of `onClose` once connected. */
  readonly onConnected?: () => void;
}

export function ConnectForm({ onClose, onConnected }: Props): ReactNode {
  const [values, setValues] = useState({ base_url: "", token: "", labels: "" });
  const [formError, setFormError] = useState<FormError | null>(null);
  const [startedAt, setStartedAt] = useState<number | null>(null);
  /** The existing connection to the same service. */
  const [connected, setConnected] = useState<SyncAccountV2 | null>(null);
  const attempt = useRef<AbortController | null>(null);
  const form = useFocusBack<HTMLFormElement>();
  const refetch = useRefetchSync();

  const connect = async (isMeantAgain: boolean): Promise<void> => {
    if (startedAt !== null) return;
    setFormError(null);
    setConnected(null);
    setStartedAt(Date.now());
    const controller = new AbortController();
    attempt.current = controller;
    let endTrial = (): void => undefined;
    try {
      if (!isMeantAgain) {
        const existing = await connectedTo(values.base_url);
        controller.signal.throwIfAborted();
        setConnected(existing);
        if (existing) return;
      }
      endTrial = await beginAttempt();
      const outcome = await tryToConnect(values, controller.signal);
      if (outcome.isConnected) {
        notifySuccess(
          t("connections.form.connected", {
            name: outcome.connection.name,
            version: outcome.version,
          }),
        );
        setValues({ base_url: "", token: "", labels: "" });
        (onConnected ?? onClose)?.();
      } else setFormError(formErrorOf(outcome.code, outcome.message));
    } catch (error) {
      if (!controller.signal.aborted) setFormError(formErrorFrom(error));
    } finally {
      setStartedAt(null);
      await refetch();
      endTrial();
    }
  };

  const field = (name: Field) => ({
    value: values[name],
    disabled: startedAt !== null,
    error: formError?.field === name ? formError.sentence : null,
    errorProps: { role: "alert", dir: "auto" } as const,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setValues((others) => ({ ...others, [name]: value }));
      if (formError?.field === name) setFormError(null);
    },
  });

  return (
    <form
      ref={onClose === null ? null : form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        if (!connected) connect(false).catch(notifyInternalError);
      }}
    >
      <Stack gap={12}>
        <TextInput
          {...field("base_url")}
          label={t("connections.form.address")}
          placeholder={plainMessage("connections.form.addressPlaceholder")}
          inputMode="url"
          dir="ltr"
          spellCheck={false}
          required
          autoFocus={onClose !== null}
        />
        {startedAt === null && can("nearby") ? (
          <NearbyServices
            onPick={(base_url) => {
              setValues((others) => ({ ...others, base_url }));
              if (formError?.field === "base_url") setFormError(null);
            }}
          />
        ) : null}
        <PasswordInput
          {...field("token")}
          label={t("connections.form.token")}
          placeholder={t("connections.form.tokenPlaceholder")}
          autoComplete="off"
          required
        />
        <TextInput
          {...field("labels")}
          label={t("connections.form.labels")}
          placeholder={t("connections.form.labelsPlaceholder")}
          dir="auto"
        />
        {connected ? (
          <NamedQuestion
            question={t("connections.form.duplicateQuestion", {
              name: connected.name,
            })}
            consequence={t("connections.form.duplicateConsequence")}
            no={t("connections.cancel")}
            yes={t("connections.form.connectAgain")}
            isGrave={false}
            onNo={() => {
              setConnected(null);
            }}
            onYes={() => connect(true)}
          />
        ) : null}
        <Group
          display={connected === null ? "flex" : "none"}
          justify="flex-end"
          gap={8}
        >
          {startedAt === null ? null : <Waiting since={startedAt} />}
          {startedAt !== null || onClose !== null ? (
            <Button
              variant="default"
              onClick={() => {
                attempt.current?.abort();
                if (startedAt === null) onClose?.();
              }}
            >
              {t("connections.cancel")}
            </Button>
          ) : null}
          <Button
            type="submit"
            leftSection={<IconCloudPlus size={18} aria-hidden />}
            loading={startedAt !== null}
          >
            {t("connections.form.submit")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Waiting({ since }: { readonly since: number }): ReactNode {
  const seconds = Math.floor((useMoment(1_000) - since) / 1_000);
  return (
    <Box c="dimmed" flex="1 1 200px">
      {/* Without the seconds, which a screen reader would read out one by one. */}
      <VisuallyHidden role="status">
        {t("connections.form.connecting")}
      </VisuallyHidden>
      <p aria-hidden>
        {seconds < 2
          ? t("connections.form.connecting")
          : t("connections.form.connectingFor", {
              duration: formats.length(seconds),
            })}
      </p>
    </Box>
  );
}

/** Errors of a field are shown at that field. */
function formErrorOf(code: string, message: string): FormError {
  return {
    field: code === "unauthorized" ? "token" : "base_url",
    sentence: [
      t("connections.form.failed"),
      messageFor("connections.problems", `${code}.message`) ??
        problemText(message),
      messageFor("connections.problems", `${code}.step`) ?? "",
      message === "" ? "" : `(${problemText(message)})`,
    ].join(" "),
  };
}

function formErrorFrom(error: unknown): FormError {
  const fields = error instanceof Refusal ? (error.fields ?? {}) : {};
  const field =
    (["base_url", "token", "labels"] as const).find((name) => fields[name]) ??
    "base_url";
  return {
    field,
    sentence: `${t("connections.form.failed")} ${fields[field]?.[0] ?? reasonOf(error)}`,
  };
}
