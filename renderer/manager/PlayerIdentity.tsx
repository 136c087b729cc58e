// Which player this is and where its interface listens, ready to be copied.

import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "./texts/texts.ts";

interface Props {
  readonly name: string;
  readonly address: string;
}

export function PlayerIdentity({ name, address }: Props): ReactNode {
  const clipboard = useClipboard({ timeout: 2_000 });
  const outcome = clipboard.copied
    ? texts.copied
    : clipboard.error
      ? texts.copyFailed
      : "";
  return (
    <div className="player-identity">
      <div className="player-words">
        <h1 className="player-name" title={name} dir="auto">
          {name}
        </h1>
        <p className="player-address quiet" title={texts.apiAddress} dir="ltr">
          {address}
        </p>
      </div>
      <Tooltip label={outcome || texts.copyAddress}>
        <ActionIcon
          aria-label={texts.copyAddress}
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
