// Asks before a change is made that changes what screens show, or that the service holds back because it breaks an assertion
// (V3-107, V3-197).

import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { QuestionDialog } from "../components/controls/QuestionDialog.tsx";
import { fleetSentences } from "../fleet/what-if-text.ts";
import { useChangeQuestion } from "../service-requests/change-question.ts";

export function ChangeDialog(): ReactNode {
  return (
    <QuestionDialog
      question={useChangeQuestion()}
      words={({ asked, whatIf }) => ({
        title: asked?.question ?? t("whatIf.anywayQuestion"),
        content: (
          <Stack gap={8}>
            {(whatIf === null
              ? [t("whatIf.notChecked")]
              : fleetSentences(whatIf)
            ).map((sentence) => (
              <p key={sentence} dir="auto">
                {sentence}
              </p>
            ))}
          </Stack>
        ),
        yes: asked?.apply ?? t("whatIf.applyAnyway"),
        isGrave: asked === null,
      })}
    />
  );
}
