// Adds an Anthias player by its address, with a login where it requires one.

import { TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { reasonOf } from "../../api/reason.ts";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { RowForm } from "../../components/controls/RowForm.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useRefusal } from "../../components/outcomes/use-attempt.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import { ServiceChoice } from "../../fleet/ServiceChoice.tsx";
import { LoginFields } from "./LoginFields.tsx";
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
  const { isUnderWay, attempt, atField, forget } = useRefusal(
    (error) => `${t("screens.adopted.failed")} ${reasonOf(error)}`,
  );
  const refetch = useRefetch();
  const serviceId = chosen ?? services[0]?.id;
  const submit = (): void => {
    if (address.trim() === "" || serviceId === undefined) return;
    attempt(async () => {
      const added = await bridge().adoptPlayer({
        ...{ serviceId, address: address.trim(), ...login },
        ...(name.trim() !== "" && { name: name.trim() }),
      });
      notifySuccess(t("screens.pair.added", { name: added.name }));
      await refetch("readScreens");
      onAdded?.();
    });
  };
  return (
    <RowForm
      icon={IconPlus}
      submitText={t("screens.adopted.submit")}
      isUnderWay={isUnderWay}
      onSubmit={submit}
    >
      <TextInput
        flex="1 1 240px"
        label={t("screens.adopted.address")}
        placeholder="192.168.1.20"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        {...(isFocused && { "data-autofocus": true, autoFocus: true })}
        value={address}
        {...atField}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          forget();
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
    </RowForm>
  );
}
