// Attended or unattended use of this PC: confirmed before the screen is locked, with the shortcut and the PIN that unlock it.

import { useState, type ReactNode } from "react";
import { useAnswer } from "../api/operations.ts";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { useQuestion } from "../api/manager-queries.ts";
import { formats } from "../../locales/language.ts";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly onChange: (value: unknown) => void;
  readonly children: (onChange: (value: unknown) => void) => ReactNode;
}

export function ProfileControl({ onChange, children }: Props): ReactNode {
  const [isConfirming, setIsConfirming] = useState(false);
  const key = useAnswer("readSettings", {}).data?.["exit_hotkey"];
  const isSet = useQuestion("readExitPin", {}).data?.isSet === true;
  const hasPin = can("exitPin") ? String(isSet) : "unknown";
  const close = () => {
    setIsConfirming(false);
  };
  return (
    <>
      {children((value) => {
        // Without a shortcut the player rejects it, with a message.
        if (value === "unattended" && typeof key === "string" && key !== "")
          setIsConfirming(true);
        else {
          close();
          onChange(value);
        }
      })}
      {isConfirming ? (
        <NamedQuestion
          question={t("settings.kioskMode.question")}
          consequence={t("settings.kioskMode.consequence", {
            keys: formats.keys(String(key)),
            hasPin,
          })}
          no={t("settings.kioskMode.cancel")}
          yes={t("settings.kioskMode.confirm")}
          isGrave={false}
          onNo={close}
          onYes={() => {
            close();
            onChange("unattended");
            return Promise.resolve();
          }}
        />
      ) : null}
    </>
  );
}
