// Which player this is and where its interface listens, ready to be copied.

import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useDesk } from "../api.ts";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly name: string;
}

export function PlayerIdentity({ name }: Props): ReactNode {
  const address = useDesk().data?.apiAddress ?? "";
  const clipboard = useClipboard({ timeout: 2_000 });
  const outcome = clipboard.copied
    ? texts.now.copied
    : clipboard.error
      ? texts.now.copyFailed
      : "";
  return (
    <div className="player-identity">
      <div className="player-words">
        <p className="player-name" title={name} dir="auto">
          {name}
        </p>
        <p
          className="player-address quiet"
          title={texts.now.apiAddress}
          dir="ltr"
        >
          {address}
        </p>
      </div>
      <Tooltip label={outcome || texts.now.copyAddress}>
        <ActionIcon
          aria-label={texts.now.copyAddress}
          onClick={() => {
            clipboard.copy(address);
          }}
        >
          {clipboard.copied ? (
            <IconCheck size={20} aria-hidden />
          ) : (
            <IconCopy size={20} aria-hidden />
          )}
        </ActionIcon>
      </Tooltip>
      <span role="status" className="only-aloud">
        {outcome}
      </span>
    </div>
  );
}
