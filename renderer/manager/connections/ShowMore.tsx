// Shows more entries of a long list.

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";

const step = 200;

interface Props {
  readonly shown: number;
  readonly all: number;
  readonly onShown: (shown: number) => void;
}

export function ShowMore({ shown, all, onShown }: Props): ReactNode {
  const left = all - shown;
  return left <= 0 ? null : (
    <Button
      variant="subtle"
      onClick={() => {
        onShown(shown + step);
      }}
    >
      {t("connections.review.showMore", { count: Math.min(left, step) })}
    </Button>
  );
}
