// The password with which people sign in to this player in a browser: set, change and remove it.

import { Box, Button, PasswordInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import {
  passwordFault,
  passwordLength,
} from "../../../server/core/password.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { Panel } from "../components/layout/Panel.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { useAnswer, useOperation } from "../api/operations.ts";

export function PasswordPanel(): ReactNode {
  const state = useAnswer("readPassword", {});
  const [isConfirming, setIsConfirming] = useState(false);
  const { data } = state;
  return (
    <Panel title={t("settings.password.title")} about={aboutOf(data)}>
      {state.error ? (
        <div className="panel-note">
          <QueryError
            sentence={t("settings.password.loadFailed")}
            query={state}
          />
        </div>
      ) : null}
      {data?.is_set === true && isConfirming ? (
        <Removal
          onEnd={() => {
            setIsConfirming(false);
          }}
        />
      ) : data ? (
        <NewPassword
          isSet={data.is_set}
          onRemove={() => {
            setIsConfirming(true);
          }}
        />
      ) : null}
    </Panel>
  );
}

function aboutOf(
  state: { readonly changed: string | null } | undefined,
): string {
  return state?.changed
    ? t("settings.password.set", {
        day: formats.day(Date.parse(state.changed)),
      })
    : t("settings.password.notSet");
}

function NewPassword(props: {
  readonly isSet: boolean;
  readonly onRemove: () => void;
}): ReactNode {
  const { isSet } = props;
  const [next, setNext] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const { least, most } = passwordLength;
  const set = useOperation("setPassword", ["readPassword", "readSession"]);
  const save = async (): Promise<void> => {
    if (passwordFault(next) !== null) {
      setFault(t("settings.password.invalid", { least, most }));
      return;
    }
    try {
      await set.mutateAsync({ body: { password: next } });
      setNext("");
      notifySuccess(t("settings.password.saved"));
    } catch (error) {
      notifyFailure(t("settings.password.changeFailed"), error);
    }
  };
  return (
    <form
      className="panel-form"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        save().catch(notifyInternalError);
      }}
    >
      <PasswordInput
        flex="1 1 240px"
        label={t("settings.password.new", { count: least })}
        autoComplete="new-password"
        dir="ltr"
        value={next}
        error={fault}
        errorProps={{ role: "alert" }}
        onChange={(event) => {
          setNext(event.currentTarget.value);
          setFault(null);
        }}
      />
      <Button type="submit" variant="default" loading={set.isPending}>
        {t(isSet ? "settings.password.change" : "settings.password.setIt")}
      </Button>
      {isSet ? (
        <Button
          variant="default"
          disabled={set.isPending}
          onClick={props.onRemove}
        >
          {t("settings.password.remove")}
        </Button>
      ) : null}
    </form>
  );
}

function Removal({ onEnd }: { readonly onEnd: () => void }): ReactNode {
  const remove = useOperation("removePassword", [
    "readPassword",
    "readSession",
  ]);
  return (
    <Box px={16} pb={16}>
      <NamedQuestion
        question={t("settings.password.removeQuestion")}
        consequence={t("settings.password.removeConsequence")}
        no={t("settings.tokens.cancel")}
        yes={t("settings.password.remove")}
        onNo={onEnd}
        onYes={async () => {
          try {
            await remove.mutateAsync({});
            notifySuccess(t("settings.password.removed"));
          } catch (error) {
            notifyFailure(t("settings.password.removeFailed"), error);
          }
          onEnd();
        }}
      />
    </Box>
  );
}
