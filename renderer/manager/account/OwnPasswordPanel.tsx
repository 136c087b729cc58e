// Changes the person's password (V3-164).

import { Button, PasswordInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import {
  passwordFault,
  passwordLength,
} from "../../../server/core/password.ts";
import { t } from "../../locales/messages.ts";
import { useRefusal } from "../components/outcomes/use-attempt.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { notifySuccess } from "../components/outcomes/outcome.ts";
import { usePerson } from "../service-requests/person.ts";
import { useServiceRefetch } from "../service-requests/service-queries.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { confirmationReason } from "./confirmation-reason.ts";

export function OwnPasswordPanel(): ReactNode {
  const { has_password: hasPassword } = usePerson();
  return hasPassword ? (
    <ChangePassword />
  ) : (
    <Panel
      title={t("account.password.title")}
      about={t("account.password.none")}
    />
  );
}

function ChangePassword(): ReactNode {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const { isUnderWay, attempt, atField, forget } =
    useRefusal(confirmationReason);
  const refetch = useServiceRefetch();
  const { least, most } = passwordLength;
  const save = (): void => {
    if (passwordFault(next) !== null) {
      setFault(t("settings.password.invalid", { least, most }));
      return;
    }
    attempt(async () => {
      await requestService("PATCH", "/account/", {
        ...{ password: next, current_password: current },
      });
      setCurrent("");
      setNext("");
      notifySuccess(t("account.password.saved"));
      await refetch("/account/sessions/");
    });
  };
  return (
    <Panel
      title={t("account.password.title")}
      about={t("account.password.about")}
    >
      <form
        className="panel-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <PasswordInput
          flex="1 1 240px"
          label={t("account.password.current")}
          autoComplete="current-password"
          required
          dir="ltr"
          value={current}
          {...atField}
          onChange={(event) => {
            setCurrent(event.currentTarget.value);
            forget();
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
        <Button type="submit" variant="default" loading={isUnderWay}>
          {t("account.password.change")}
        </Button>
      </form>
    </Panel>
  );
}
