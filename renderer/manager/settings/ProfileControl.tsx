// Who is at this PC: asked before the screen is left alone, with the key and the PIN that lead back.

import { useState, type ReactNode } from "react";
import { useAnswer } from "../operations.ts";
import { NamedQuestion } from "../parts/controls/NamedQuestion.tsx";
import { useQuestion } from "../questions.ts";
import { formats, texts } from "../texts/texts.ts";

const words = texts.settings.unattended;

interface Props {
  readonly onChange: (value: unknown) => void;
  readonly children: (onChange: (value: unknown) => void) => ReactNode;
}

export function ProfileControl({ onChange, children }: Props): ReactNode {
  const [isConfirming, setIsConfirming] = useState(false);
  const key = useAnswer("readSettings", {}).data?.["exit_hotkey"];
  const hasPin = useQuestion("readExitPin", {}).data?.isSet === true;
  const close = () => {
    setIsConfirming(false);
  };
  return (
    <>
      {children((value) => {
        // Without a key the player refuses, and says so.
        if (value === "unattended" && typeof key === "string" && key !== "")
          setIsConfirming(true);
        else {
          close();
          onChange(value);
        }
      })}
      {isConfirming ? (
        <NamedQuestion
          question={words.question}
          consequence={[
            words.consequence(formats.keys(String(key))),
            hasPin ? words.withPin : words.withoutPin,
          ].join(" ")}
          no={words.no}
          yes={words.yes}
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
