// The page in front of the manager: one form in the middle.

import { Center, Paper } from "@mantine/core";
import type { ReactNode } from "react";

export function EntrancePage({
  children,
}: {
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Center component="main" mih="100dvh" p={16} bg="var(--ground)">
      <Paper withBorder radius={10} p={24} w="100%" maw={420}>
        {children}
      </Paper>
    </Center>
  );
}
