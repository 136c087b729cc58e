// The exit PIN of an unattended screen: set, change and remove; an existing one has to be entered.

import { Button, PasswordInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { ExitPinChange } from "../../../server/contract/ipc/ipc-pc.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { Panel } from "../components/layout/Panel.tsx";
import { useRefetch, useQuestion } from "../api/manager-queries.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { noteFinal } from "../undo/undo.ts";

const isPin = (text: string) => /^\d{4,12}$/.test(text);

export function PinPanel(): ReactNode {
  const isSet = useQuestion("readExitPin", {}).data?.isSet;
  const refetch = useRefetch();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [formError, setFormError] = useState<FormError | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  if (isSet === undefined) return null;

  const change = async (nextPin: string | null): Promise<void> => {
    if (nextPin !== null && !isPin(nextPin)) {
      setFormError({ field: "next", sentence: t("settings.pin.invalid") });
      return;
    }
    // An invalid PIN does not count as an attempt.
    if (isSet && !isPin(current)) {
      setFormError({ field: "current", sentence: t("settings.pin.invalid") });
      return;
    }
    setIsSaving(true);
    try {
      const outcome = await window.manager.changeExitPin({
        current: isSet ? current : null,
        next: nextPin,
      });
      if (outcome.outcome === "changed") {
        setCurrent("");
        setNext("");
        setFormError(null);
        noteFinal(t("manager.pinChanged"));
        notifySuccess(
          t(outcome.isSet ? "settings.pin.saved" : "settings.pin.removed"),
        );
        await refetch("readExitPin");
      } else setFormError({ field: "current", sentence: refusalOf(outcome) });
    } catch (error) {
      notifyFailure(t("settings.pin.changeFailed"), error);
    } finally {
      setIsSaving(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change(next).catch(notifyInternalError);
  };
  const field = (name: FormError["field"], value: string) => ({
    className: "pin-field",
    w: 180,
    inputMode: "numeric" as const,
    autoComplete: "off",
    value,
    error: formError?.field === name ? formError.sentence : null,
    errorProps: { role: "alert" },
  });
  return (
    <Panel
      title={t("settings.pin.title")}
      about={t(`settings.pin.description.${isSet ? "set" : "notSet"}`)}
    >
      <form className="panel-form" onSubmit={submit}>
        {isSet ? (
          <PasswordInput
            {...field("current", current)}
            label={t("settings.pin.currentPin")}
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
              setFormError(null);
            }}
          />
        ) : null}
        <PasswordInput
          {...field("next", next)}
          label={isSet ? t("settings.pin.newPin") : t("settings.pin.firstPin")}
          onChange={(event) => {
            setNext(event.currentTarget.value);
            setFormError(null);
          }}
        />
        <Button type="submit" variant="default" loading={isSaving}>
          {isSet ? t("settings.pin.change") : t("settings.pin.set")}
        </Button>
        {isSet ? (
          <Button
            variant="default"
            disabled={isSaving}
            onClick={() => {
              change(null).catch(notifyInternalError);
            }}
          >
            {t("settings.pin.remove")}
          </Button>
        ) : null}
      </form>
    </Panel>
  );
}

interface FormError {
  readonly field: "current" | "next";
  readonly sentence: string;
}

function refusalOf(
  outcome: Exclude<ExitPinChange, { outcome: "changed" }>,
): string {
  return outcome.outcome === "wrong"
    ? t("settings.pin.wrong", { count: outcome.triesLeft })
    : t("settings.pin.locked", { duration: formats.length(outcome.seconds) });
}
