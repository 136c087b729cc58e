// Form that connects a content service: address and token, checked live; its version is detected.

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconCloudPlus } from "@tabler/icons-react";
import { useRef, useState, type ReactNode, type SubmitEvent } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { reasonOf } from "../../api.ts";
import { Refusal } from "../../operations.ts";
import { useFocusBack } from "../../parts/focus/focus-back.ts";
import { useMoment } from "../../parts/moment.ts";
import { NamedQuestion } from "../../parts/controls/Confirmation.tsx";
import { notifySuccess } from "../../parts/outcomes/outcome.ts";
import { texts } from "../../texts/texts.ts";
import { connectedTo, tryToConnect } from "./connect.ts";
import { beginTrial } from "../state/trial.ts";
import { useRefetchSync } from "../state/use-sync.ts";

const words = texts.cloud;

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
    const own = new AbortController();
    attempt.current = own;
    let endTrial = (): void => undefined;
    try {
      if (!isMeantAgain) {
        const existing = await connectedTo(values.base_url);
        own.signal.throwIfAborted();
        setConnected(existing);
        if (existing) return;
      }
      endTrial = await beginTrial();
      const outcome = await tryToConnect(values, own.signal);
      if (outcome.isConnected) {
        notifySuccess(
          words.connected(outcome.connection.name, outcome.version),
        );
        setValues({ base_url: "", token: "", labels: "" });
        (onConnected ?? onClose)?.();
      } else setFormError(formErrorOf(outcome.code, outcome.message));
    } catch (error) {
      if (!own.signal.aborted) setFormError(formErrorFrom(error));
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
      className="cloud-connect"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        if (!connected) void connect(false);
      }}
    >
      <TextInput
        {...field("base_url")}
        label={words.address}
        placeholder={words.addressHint}
        inputMode="url"
        dir="ltr"
        spellCheck={false}
        required
        autoFocus={onClose !== null}
      />
      <PasswordInput
        {...field("token")}
        label={words.token}
        placeholder={words.tokenHint}
        autoComplete="off"
        required
      />
      <TextInput
        {...field("labels")}
        label={words.labels}
        placeholder={words.labelsHint}
        dir="auto"
      />
      {connected ? (
        <NamedQuestion
          question={words.confirmConnectAgain(connected.name)}
          consequence={words.connectAgainConsequence}
          no={words.cancel}
          yes={words.connectAgain}
          isGrave={false}
          onNo={() => {
            setConnected(null);
          }}
          onYes={() => connect(true)}
        />
      ) : null}
      <div className="cloud-connect-end" hidden={connected !== null}>
        {startedAt === null ? null : <Waiting since={startedAt} />}
        {startedAt !== null || onClose !== null ? (
          <Button
            variant="default"
            onClick={() => {
              attempt.current?.abort();
              if (startedAt === null) onClose?.();
            }}
          >
            {words.cancel}
          </Button>
        ) : null}
        <Button
          type="submit"
          leftSection={<IconCloudPlus size={18} aria-hidden />}
          loading={startedAt !== null}
        >
          {words.check}
        </Button>
      </div>
    </form>
  );
}

function Waiting({ since }: { readonly since: number }): ReactNode {
  const seconds = Math.floor((useMoment(1_000) - since) / 1_000);
  return (
    <div className="quiet cloud-connect-waiting">
      {/* Without the seconds, which a screen reader would read out one by one. */}
      <p className="only-aloud" role="status">
        {words.checking}
      </p>
      <p aria-hidden>
        {seconds < 2 ? words.checking : words.checkedFor(seconds)}
      </p>
    </div>
  );
}

/** Errors of a field are shown at that field. */
function formErrorOf(code: string, message: string): FormError {
  const problem = words.problems[code];
  return {
    field: code === "unauthorized" ? "token" : "base_url",
    sentence: [
      words.connectFailed,
      problem?.message ?? message,
      problem?.step ?? "",
      message === "" ? "" : `(${message})`,
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
    sentence: `${words.connectFailed} ${fields[field]?.[0] ?? reasonOf(error)}`,
  };
}
