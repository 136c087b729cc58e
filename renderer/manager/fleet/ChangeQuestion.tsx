// Asks before a change is applied that changes what screens show, or breaks an assertion.

import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import type { Consequence } from "./what-if-text.ts";

interface Props {
  readonly question: string;
  readonly consequence: Consequence;
  /** Of the button that applies it. */
  readonly apply: string;
  readonly onCancel: () => void;
  readonly onApply: () => Promise<void>;
}

export function ChangeQuestion(props: Props): ReactNode {
  const { question, consequence, apply, onCancel, onApply } = props;
  return (
    <NamedQuestion
      question={question}
      consequence={consequence.text}
      no={t("manager.cancel")}
      yes={consequence.isHeldBack ? t("whatIf.applyAnyway") : apply}
      isGrave={consequence.isHeldBack}
      onNo={onCancel}
      onYes={onApply}
    />
  );
}
