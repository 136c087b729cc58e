// Adds a screen by the PIN it shows: two steps, since a name is already filled in.

import { Button, Group, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useRef, useState, type ReactNode, type SubmitEvent } from "react";
import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { reasonOf } from "../api/reason.ts";
import {
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
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
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isClaiming, setIsClaiming] = useState(false);
  const pinField = useRef<HTMLInputElement>(null);
  const refetch = useRefetch();
  const shownName =
    name ?? plainMessage("screens.pair.defaultName", { count: count + 1 });
  const serviceId = chosen ?? services[0]?.id;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (pin.trim() === "" || isClaiming || serviceId === undefined) return;
    setIsClaiming(true);
    try {
      const claimed = await bridge().claimScreen({
        ...{ serviceId, pin: pin.trim(), name: shownName },
      });
      notifySuccess(t("screens.pair.added", { name: claimed.name }));
      setPin("");
      setName(null);
      await refetch("readScreens");
      onAdded?.();
    } catch (error) {
      setRefusal(
        `${t("screens.pair.failed")} ${reasonOf(error)} ${t("screens.pair.failedStep")}`,
      );
    } finally {
      setIsClaiming(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <Group align="flex-start" gap={8} py={12}>
        <TextInput
          ref={pinField}
          flex="1 1 200px"
          label={t("screens.pair.pin")}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          {...(isFocused && { "data-autofocus": true })}
          value={pin}
          error={refusal}
          errorProps={{ role: "alert", dir: "auto" }}
          onChange={(event) => {
            setPin(event.currentTarget.value);
            setRefusal(null);
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
        <Button
          type="submit"
          mt={22}
          variant="default"
          leftSection={<IconLink size={18} aria-hidden />}
          loading={isClaiming}
        >
          {t("screens.pair.add")}
        </Button>
      </Group>
      {can("nearby") ? (
        <NearbyPlayers
          onPair={(player) => {
            if (player.name !== null) setName(player.name);
            pinField.current?.focus();
          }}
        />
      ) : null}
    </form>
  );
}
