// A secret that is shown this once, until somebody says it is kept.

import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import "./secret-once.css";

const words = texts.settings.tokens;

export function SecretOnce(props: {
  readonly title: string;
  readonly secret: string;
  readonly onKept: () => void;
}): ReactNode {
  const clipboard = useClipboard({ timeout: 2_000 });
  const label = clipboard.copied ? words.copied : words.copy;
  return (
    <div className="secret-once" role="group" aria-label={props.title}>
      <p className="secret-title">{props.title}</p>
      <p className="quiet">{words.madeOnce}</p>
      <div className="secret-line">
        <code dir="ltr" data-secret>
          {props.secret}
        </code>
        <Tooltip label={label}>
          <ActionIcon
            variant="default"
            aria-label={words.copy}
            autoFocus
            onClick={() => {
              clipboard.copy(props.secret);
            }}
          >
            {clipboard.copied ? (
              <IconCheck size={18} aria-hidden />
            ) : (
              <IconCopy size={18} aria-hidden />
            )}
          </ActionIcon>
        </Tooltip>
        <Button onClick={props.onKept}>{words.keptIt}</Button>
      </div>
      <span role="status" className="only-aloud">
        {clipboard.copied ? words.copied : ""}
      </span>
    </div>
  );
}
