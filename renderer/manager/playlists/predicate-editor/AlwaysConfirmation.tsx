// Confirmation before the only time of a playlist is removed: without one it plays around the clock.

import type { ReactNode } from "react";
import { NamedQuestion } from "../../parts/controls/Confirmation.tsx";
import { t } from "../../../locales/messages.ts";
import { texts } from "../../texts/texts.ts";

interface Props {
  readonly name: string;
  readonly onNo: () => void;
  readonly onAlways: () => void;
  readonly onDisable: () => void;
}

export function AlwaysQuestion(props: Props): ReactNode {
  const messages = texts.playlists.when;
  return (
    <NamedQuestion
      question={messages.confirmAlways(props.name)}
      consequence={messages.alwaysConsequence}
      no={t("manager.cancel")}
      yes={messages.playAlways}
      isGrave={false}
      other={{ label: messages.turnOff, onChoose: props.onDisable }}
      onNo={props.onNo}
      onYes={() => {
        props.onAlways();
        return Promise.resolve();
      }}
    />
  );
}
