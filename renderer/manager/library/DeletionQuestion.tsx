// Asks before assets are deleted where there is no trash.

import type { ReactNode } from "react";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly assets: readonly { readonly name: string }[];
  readonly onNo: () => void;
  readonly onYes: () => Promise<unknown>;
}

export function DeletionQuestion({ assets, onNo, onYes }: Props): ReactNode {
  const [first] = assets;
  return (
    <NamedQuestion
      question={
        assets.length === 1 && first
          ? t("library.deleteQuestion", { name: first.name })
          : t("library.deleteManyQuestion", { count: assets.length })
      }
      consequence={t("library.deleteConsequence")}
      no={t("library.keep")}
      yes={t("library.deletePermanently")}
      onNo={onNo}
      onYes={onYes}
    />
  );
}
