// The player's name and the address of its interface, ready to be copied.

import type { ReactNode } from "react";
import { useMachine } from "../api.ts";
import { CopyButton } from "../components/controls/CopyButton.tsx";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly name: string;
}

export function PlayerIdentity({ name }: Props): ReactNode {
  const address = useMachine().data?.apiAddress ?? "";
  return (
    <div className="player-identity">
      <div className="player-words">
        <p className="player-name" title={name} dir="auto">
          {name}
        </p>
        <p
          className="player-address quiet"
          title={t("now.apiAddress")}
          dir="ltr"
        >
          {address}
        </p>
      </div>
      <CopyButton
        text={address}
        label={t("now.copyAddress")}
        variant="subtle"
      />
    </div>
  );
}
