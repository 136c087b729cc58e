// Confirmation before the only time of a playlist is removed: without one it plays around the clock.

import type { ReactNode } from "react";
import { NamedQuestion } from "../components/controls/Confirmation.tsx";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly name: string;
  readonly onNo: () => void;
  readonly onAlways: () => void;
  readonly onDisable: () => void;
}

export function AlwaysQuestion(props: Props): ReactNode {
  return (
    <NamedQuestion
      question={t("playlists.schedule.confirmAlways", { name: props.name })}
      consequence={t("playlists.schedule.alwaysConsequence")}
      no={t("manager.cancel")}
      yes={t("playlists.schedule.playAlways")}
      isGrave={false}
      other={{
        label: t("playlists.schedule.turnOff"),
        onChoose: props.onDisable,
      }}
      onNo={props.onNo}
      onYes={() => {
        props.onAlways();
        return Promise.resolve();
      }}
    />
  );
}
