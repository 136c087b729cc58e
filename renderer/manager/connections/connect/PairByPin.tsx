// Pairs this screen with a content service without a token: shows a PIN and waits until it is claimed there.

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { PairingV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { reasonOf } from "../../api/reason.ts";
import { useAnswer, useOperation } from "../../api/operations.ts";
import { problemText } from "../../api/problem-text.ts";
import { Refusal } from "../../api/refusal.ts";
import { serviceAddressOf } from "../../components/address.ts";
import { RowForm } from "../../components/controls/RowForm.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { can } from "../../place/abilities.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import { NearbyServices } from "./NearbyServices.tsx";
import { useRefetchSync } from "../state/use-sync.ts";
import { when } from "../state/status-time.ts";

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
  const submit = (): void => {
    if (!begin.isPending)
      begin.mutate({ body: { base_url: serviceAddressOf(address) } });
  };
  const sentence =
    begin.error instanceof Refusal
      ? (begin.error.fields?.["base_url"]?.[0] ?? begin.error.message)
      : reasonOf(begin.error);
  return (
    <RowForm
      icon={IconLink}
      submitText={t("connections.pairing.start")}
      isUnderWay={begin.isPending}
      onSubmit={submit}
      below={
        can("nearby") ? (
          <NearbyServices
            onPick={(picked) => {
              setAddress(picked);
              begin.reset();
            }}
          />
        ) : null
      }
    >
      <TextInput
        flex="1 1 240px"
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
    </RowForm>
  );
}

function Waiting({ pairing }: { readonly pairing: PairingV2 }): ReactNode {
  const end = useOperation("endPairing", ["readPairing"]);
  const begin = useOperation("beginPairing", ["readPairing"]);
  const { state, pin, expires, problem, base_url } = pairing;
  return (
    <Stack align="flex-start" gap={4} py={12} role="status">
      <p>
        {state === "ended"
          ? t("connections.pairing.expired")
          : t("connections.pairing.pin")}
      </p>
      {pin === null ? null : (
        <Text
          className="pair-pin figures"
          fz={40}
          lh="52px"
          fw={650}
          lts="0.12em"
          style={{ userSelect: "all" }}
          dir="ltr"
        >
          {pin}
        </Text>
      )}
      <p className="quiet">
        {state === "waiting" ? t("connections.pairing.waiting") : ""}{" "}
        {expires === null
          ? ""
          : t("connections.pairing.expires", { time: when(expires) })}{" "}
        {problem === null ? null : (
          <span dir="auto">{problemText(problem)}</span>
        )}
      </p>
      <Group align="stretch" gap={8}>
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
      </Group>
    </Stack>
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
