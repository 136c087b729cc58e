// One line of the settings: what it is, and its control.

import { Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly wireName?: string;
  readonly words: ReactNode;
  /** The control, and what is wrong with it. */
  readonly children: ReactNode;
}

export function SettingLine({ wireName, words, children }: Props): ReactNode {
  return (
    <div className="setting" data-setting={wireName}>
      <div className="setting-words">{words}</div>
      <Stack
        className="setting-control"
        justify="center"
        gap={6}
        miw={0}
        mih={44}
      >
        {children}
      </Stack>
    </div>
  );
}
