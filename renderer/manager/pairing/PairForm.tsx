// Adds a screen by the PIN it shows: two steps, since a name is already filled in.

import { TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useRef, useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { reasonOf } from "../api/reason.ts";
import { RowForm } from "../components/controls/RowForm.tsx";
import { notifySuccess } from "../components/outcomes/outcome.ts";
import { useRefusal } from "../components/outcomes/use-attempt.ts";
import { useRefetch } from "../api/manager-queries.ts";
import { can } from "../place/abilities.ts";
import { NearbyPlayers } from "./NearbyPlayers.tsx";
import { ServiceChoice } from "../fleet/ServiceChoice.tsx";
import { bridge } from "../transport/bridge.ts";

interface Props {
  /** One of them is chosen where there are several. */
  readonly services: readonly Pick<ScreenServiceView, "id" | "name">[];
  /** Of the screens that there are: for the name that is filled in. */
  readonly count: number;
  readonly isFocused?: boolean;
  readonly onAdded?: () => void;
}

export function PairForm(props: Props): ReactNode {
  const { services, count, isFocused = false, onAdded } = props;
  const [pin, setPin] = useState("");
  const [name, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) =>
      `${t("screens.pair.failed")} ${reasonOf(error)} ${t("screens.pair.failedStep")}`,
  );
  const pinField = useRef<HTMLInputElement>(null);
  const refetch = useRefetch();
  const shownName =
    name ?? plainMessage("screens.pair.defaultName", { count: count + 1 });
  const serviceId = chosen ?? services[0]?.id;
  const submit = (): void => {
    if (pin.trim() === "" || serviceId === undefined) return;
    attempt(async () => {
      const claimed = await bridge().claimScreen({
        ...{ serviceId, pin: pin.trim(), name: shownName },
      });
      notifySuccess(t("screens.pair.added", { name: claimed.name }));
      setPin("");
      setName(null);
      await refetch("readScreens");
      onAdded?.();
    });
  };
  return (
    <RowForm
      icon={IconLink}
      submitText={t("screens.pair.add")}
      isUnderWay={isUnderWay}
      onSubmit={submit}
      below={
        can("nearby") ? (
          <NearbyPlayers
            onPair={(player) => {
              if (player.name !== null) setName(player.name);
              pinField.current?.focus();
            }}
          />
        ) : null
      }
    >
      <TextInput
        ref={pinField}
        flex="1 1 200px"
        label={t("screens.pair.pin")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        {...(isFocused && { "data-autofocus": true })}
        value={pin}
        {...atField}
        onChange={(event) => {
          setPin(event.currentTarget.value);
          forget();
        }}
      />
      <TextInput
        flex="1 1 240px"
        label={t("screens.pair.name")}
        dir="auto"
        value={shownName}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <ServiceChoice
        flex="1 1 200px"
        services={services}
        serviceId={serviceId ?? null}
        onChosen={setChosen}
      />
    </RowForm>
  );
}
