// The exit PIN of an unattended screen: set, change and remove; an existing one has to be entered.

import { Button, PasswordInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { ExitPinChange } from "../../../server/contract/ipc/ipc-pc.ts";
import { notifySuccess, notifyFailure } from "../parts/outcomes/outcome.ts";
import { Panel } from "../parts/layout/Panel.tsx";
import { useRefetch, useQuestion } from "../manager-queries.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { texts } from "../texts/texts.ts";
import { noteFinal } from "../undo.ts";
import "./site.css";

const words = texts.settings.pin;
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
      setFormError({ field: "next", sentence: words.shape });
      return;
    }
    // An invalid PIN does not count as an attempt.
    if (isSet && !isPin(current)) {
      setFormError({ field: "current", sentence: words.shape });
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
        notifySuccess(outcome.isSet ? words.isSet : words.isGone);
        await refetch("readExitPin");
      } else setFormError({ field: "current", sentence: refusalOf(outcome) });
    } catch (error) {
      notifyFailure(words.failed, error);
    } finally {
      setIsSaving(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void change(next);
  };
  const field = (name: FormError["field"], value: string) => ({
    className: "pin-field",
    inputMode: "numeric" as const,
    autoComplete: "off",
    value,
    error: formError?.field === name ? formError.sentence : null,
    errorProps: { role: "alert" },
  });
  return (
    <Panel title={words.title} about={isSet ? words.aboutSet : words.about}>
      <form className="panel-form" onSubmit={submit}>
        {isSet ? (
          <PasswordInput
            {...field("current", current)}
            label={words.current}
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
              setFormError(null);
            }}
          />
        ) : null}
        <PasswordInput
          {...field("next", next)}
          label={isSet ? words.next : words.first}
          onChange={(event) => {
            setNext(event.currentTarget.value);
            setFormError(null);
          }}
        />
        <Button type="submit" variant="default" loading={isSaving}>
          {isSet ? words.change : words.set}
        </Button>
        {isSet ? (
          <Button
            variant="default"
            disabled={isSaving}
            onClick={() => void change(null)}
          >
            {words.remove}
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
    ? words.wrong(outcome.triesLeft)
    : words.locked(formats.length(outcome.seconds));
}
