// Adds an Anthias player by its address, with a login where it requires one.

import { Button, Group, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import {
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import { ServiceChoice } from "../../fleet/ServiceChoice.tsx";
import { LoginFields } from "./LoginFields.tsx";
import { playerReasonHere } from "./player-reason.ts";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  /** One of them is chosen where there are several. */
  readonly services: readonly Pick<ScreenServiceView, "id" | "name">[];
  readonly isFocused?: boolean;
  readonly onAdded?: () => void;
}

export function AdoptForm({
  services,
  isFocused = false,
  onAdded,
}: Props): ReactNode {
  const [address, setAddress] = useState("");
  const [name, setName] = useState("");
  const [login, setLogin] = useState({ username: "", password: "" });
  const [chosen, setChosen] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const refetch = useRefetch();
  const serviceId = chosen ?? services[0]?.id;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (address.trim() === "" || isAdding || serviceId === undefined) return;
    setIsAdding(true);
    try {
      const added = await bridge().adoptPlayer({
        ...{ serviceId, address: address.trim(), ...login },
        ...(name.trim() !== "" && { name: name.trim() }),
      });
      notifySuccess(t("screens.pair.added", { name: added.name }));
      await refetch("readScreens");
      onAdded?.();
    } catch (error) {
      setRefusal(
        `${t("screens.adopted.failed")} ${playerReasonHere(reasonOf(error))}`,
      );
    } finally {
      setIsAdding(false);
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
          flex="1 1 240px"
          label={t("screens.adopted.address")}
          placeholder="192.168.1.20"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          {...(isFocused && { "data-autofocus": true, autoFocus: true })}
          value={address}
          error={refusal}
          errorProps={{ role: "alert", dir: "auto" }}
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            setRefusal(null);
          }}
        />
        <TextInput
          flex="1 1 240px"
          label={t("screens.pair.name")}
          dir="auto"
          maxLength={200}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <LoginFields {...login} onChange={setLogin} />
        <ServiceChoice
          flex="1 1 240px"
          services={services}
          serviceId={serviceId ?? null}
          onChosen={setChosen}
        />
        <Button
          type="submit"
          mt={22}
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          loading={isAdding}
        >
          {t("screens.adopted.submit")}
        </Button>
      </Group>
    </form>
  );
}
