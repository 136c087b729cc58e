// Changes the person's password (V3-164).

import { Button, PasswordInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import {
  passwordFault,
  passwordLength,
} from "../../../server/core/password.ts";
import { t } from "../../locales/messages.ts";
import { Panel } from "../components/layout/Panel.tsx";
import {
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { confirmationReason } from "./confirmation-reason.ts";

export function OwnPasswordPanel(): ReactNode {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const refetch = useServiceRefetch();
  const { least, most } = passwordLength;
  const save = async (): Promise<void> => {
    if (passwordFault(next) !== null) {
      setFault(t("settings.password.invalid", { least, most }));
      return;
    }
    setIsSaving(true);
    try {
      await requestService("PATCH", "/account/", {
        ...{ password: next, current_password: current },
      });
      setCurrent("");
      setNext("");
      notifySuccess(t("account.password.saved"));
      await refetch("/account/sessions/");
    } catch (error) {
      setReason(confirmationReason(error));
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Panel
      title={t("account.password.title")}
      about={t("account.password.about")}
    >
      <form
        className="panel-form"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          if (!isSaving) save().catch(notifyInternalError);
        }}
      >
        <PasswordInput
          flex="1 1 240px"
          label={t("account.password.current")}
          autoComplete="current-password"
          required
          dir="ltr"
          value={current}
          error={reason}
          errorProps={{ role: "alert" }}
          onChange={(event) => {
            setCurrent(event.currentTarget.value);
            setReason(null);
          }}
        />
        <PasswordInput
          flex="1 1 240px"
          label={t("settings.password.new", { count: least })}
          autoComplete="new-password"
          required
          dir="ltr"
          value={next}
          error={fault}
          errorProps={{ role: "alert" }}
          onChange={(event) => {
            setNext(event.currentTarget.value);
            setFault(null);
          }}
        />
        <Button type="submit" variant="default" loading={isSaving}>
          {t("account.password.change")}
        </Button>
      </form>
    </Panel>
  );
}
