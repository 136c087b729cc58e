// Pairs this screen with a content service without a token: shows a PIN and waits until it is claimed there.

import { Button, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from "react";
import type { PairingV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { reasonOf } from "../../api.ts";
import { Refusal, useAnswer, useOperation } from "../../operations.ts";
import { serviceAddressOf } from "../../components/address.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import { useRefetchSync } from "../state/use-sync.ts";
import { when } from "../state/status-time.ts";
import "../editing/editing.css";

const pollIntervalMs = 1_500;

export function PairByPin(): ReactNode {
  const pairing = useAnswer("readPairing", {});
  const waiting = pairing.data ?? null;
  return (
    <details className="pair" open={waiting?.state === "waiting" || undefined}>
      <summary>{t("connections.pairing.title")}</summary>
      <p className="quiet">{t("connections.pairing.description")}</p>
      {waiting === null || waiting.state === "claimed" ? (
        <Begin />
      ) : (
        <Waiting pairing={waiting} />
      )}
    </details>
  );
}

function Begin(): ReactNode {
  const [address, setAddress] = useState("");
  const begin = useOperation("beginPairing", ["readPairing"]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!begin.isPending)
      begin.mutate({ body: { base_url: serviceAddressOf(address) } });
  };
  const sentence =
    begin.error instanceof Refusal
      ? (begin.error.fields?.["base_url"]?.[0] ?? begin.error.message)
      : reasonOf(begin.error);
  return (
    <form className="hosting-form" onSubmit={submit}>
      <TextInput
        className="panel-field"
        label={t("connections.pairing.address")}
        placeholder={plainMessage("connections.form.addressPlaceholder")}
        inputMode="url"
        dir="ltr"
        spellCheck={false}
        value={address}
        error={
          begin.isError
            ? `${t("connections.pairing.startFailed")} ${sentence}`
            : null
        }
        errorProps={{ role: "alert", dir: "auto" }}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          begin.reset();
        }}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconLink size={18} aria-hidden />}
        loading={begin.isPending}
      >
        {t("connections.pairing.start")}
      </Button>
    </form>
  );
}

function Waiting({ pairing }: { readonly pairing: PairingV2 }): ReactNode {
  const end = useOperation("endPairing", ["readPairing"]);
  const begin = useOperation("beginPairing", ["readPairing"]);
  const { state, pin, expires, problem, base_url } = pairing;
  return (
    <div className="pair-waiting" role="status">
      <p>
        {state === "ended"
          ? t("connections.pairing.expired")
          : t("connections.pairing.pin")}
      </p>
      {pin === null ? null : (
        <p className="pair-pin" dir="ltr">
          {pin}
        </p>
      )}
      <p className="quiet">
        {state === "waiting" ? t("connections.pairing.waiting") : ""}{" "}
        {expires === null
          ? ""
          : t("connections.pairing.expires", { time: when(expires) })}{" "}
        {problem === null ? null : <span dir="auto">{problem}</span>}
      </p>
      <div className="plan-actions">
        {state === "ended" ? (
          <Button
            variant="default"
            loading={begin.isPending}
            onClick={() => {
              begin.mutate({ body: { base_url } });
            }}
          >
            {t("connections.pairing.newPin")}
          </Button>
        ) : null}
        <Button
          variant="default"
          loading={end.isPending}
          onClick={() => {
            end.mutate(
              {},
              {
                onError: (error) => {
                  notifyFailure(t("connections.pairing.title"), error);
                },
              },
            );
          }}
        >
          {t("connections.pairing.stop")}
        </Button>
      </div>
    </div>
  );
}

/** For the page: the form may be closed before the PIN is entered at the service. */
export function useNotifyClaimed(): void {
  const pairing = useAnswer("readPairing", {}, { intervalMs: pollIntervalMs });
  const refetch = useRefetchSync();
  const state = pairing.data?.state ?? null;
  const before = useRef(state);
  // A new connection appeared; a screen that was claimed long ago is not announced.
  useEffect(() => {
    if (before.current === "waiting" && state === "claimed") {
      notifySuccess(t("connections.pairing.claimed"));
      refetch().catch(notifyInternalError);
    }
    before.current = state;
  }, [state, refetch]);
}
