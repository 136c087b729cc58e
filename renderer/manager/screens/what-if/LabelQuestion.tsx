// Asks before other labels of a screen are applied, when that changes what it shows or breaks an assertion.

import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import type { Consequence } from "./what-if-text.ts";

interface Props {
  readonly name: string;
  readonly consequence: Consequence;
  readonly onCancel: () => void;
  readonly onApply: () => Promise<void>;
}

export function LabelQuestion(props: Props): ReactNode {
  const { name, consequence, onCancel, onApply } = props;
  return (
    <NamedQuestion
      question={t("whatIf.labelsQuestion", { name })}
      consequence={consequence.text}
      no={t("manager.cancel")}
      yes={consequence.isHeldBack ? t("whatIf.applyAnyway") : t("whatIf.apply")}
      isGrave={consequence.isHeldBack}
      onNo={onCancel}
      onYes={onApply}
    />
  );
}
