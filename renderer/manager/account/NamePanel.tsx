// The name of the person, as others see it.

import { Button, TextInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { t } from "../../locales/messages.ts";
import { Panel } from "../components/layout/Panel.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { usePerson } from "../service-requests/person.ts";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";

export function NamePanel(): ReactNode {
  const { name } = usePerson();
  const [typed, setTyped] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const refetch = useServiceRefetch();
  const next = typed?.trim() ?? name;
  const save = async (): Promise<void> => {
    setIsSaving(true);
    try {
      await requestService("PATCH", "/account/", { name: next });
      await refetch("/sign-in/", "/people/");
      // What was typed meanwhile stays.
      setTyped((now) => (now?.trim() === next ? null : now));
      notifySuccess(t("account.name.saved"));
    } catch (error) {
      notifyFailure(t("account.name.failed"), error);
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Panel title={t("account.name.title")} about={t("account.name.about")}>
      <form
        className="panel-form"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          if (next !== "" && next !== name) save().catch(notifyInternalError);
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
        <Button type="submit" variant="default" loading={isSaving}>
          {t("account.save")}
        </Button>
      </form>
    </Panel>
  );
}
