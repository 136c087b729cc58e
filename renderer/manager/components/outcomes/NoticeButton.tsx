// A button within a notice, beneath its words.

import { Button } from "@mantine/core";
import type { ReactNode } from "react";

export function NoticeButton(props: {
  readonly onClick: () => void;
  readonly children?: string;
}): ReactNode {
  return (
    <Button variant="default" size="compact-sm" h={32} mt={6} {...props} />
  );
}
