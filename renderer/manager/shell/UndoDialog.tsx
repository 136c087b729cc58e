// Asks for confirmation before undoing an action from another page, where nobody would see it change back.

import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { QuestionDialog } from "../components/controls/QuestionDialog.tsx";
import { useUndoQuestion } from "../undo/undo.ts";

export function UndoDialog(): ReactNode {
  return (
    <QuestionDialog
      question={useUndoQuestion()}
      words={({ sentence, page }) => ({
        title: t("manager.undoElsewhere", { page: t(`manager.pages.${page}`) }),
        content: <p dir="auto">{sentence}</p>,
        yes: t("manager.undo"),
      })}
    />
  );
}
