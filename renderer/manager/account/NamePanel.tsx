// The name of the person, as others see it.

import { Button, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { useAttempt } from "../components/outcomes/use-attempt.ts";
import { Panel } from "../components/layout/Panel.tsx";
import {
  notifyFailure,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { usePerson } from "../service-requests/person.ts";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";

export function NamePanel(): ReactNode {
  const { name } = usePerson();
  const [typed, setTyped] = useState<string | null>(null);
  const { isUnderWay, attempt } = useAttempt((error) => {
    notifyFailure(t("account.name.failed"), error);
  });
  const refetch = useServiceRefetch();
  const next = typed?.trim() ?? name;
  const save = async (): Promise<void> => {
    await requestService("PATCH", "/account/", { name: next });
    await refetch("/sign-in/", "/people/");
    // What was typed meanwhile stays.
    setTyped((now) => (now?.trim() === next ? null : now));
    notifySuccess(t("account.name.saved"));
  };
  return (
    <Panel title={t("account.name.title")} about={t("account.name.about")}>
      <form
        className="panel-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (next !== "" && next !== name) attempt(save);
        }}
      >
        <TextInput
          flex="1 1 240px"
          label={t("service.name")}
          autoComplete="name"
          maxLength={200}
          dir="auto"
          value={typed ?? name}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={isUnderWay}>
          {t("account.save")}
        </Button>
      </form>
    </Panel>
  );
}
