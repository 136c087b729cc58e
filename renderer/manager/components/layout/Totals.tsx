// A row of figures above a report: what each one counts, and how much.

import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";

export function Totals(props: { readonly children: ReactNode }): ReactNode {
  return (
    <Box
      component="dl"
      bd="1px solid var(--line)"
      bdrs={10}
      bg="var(--line)"
      style={{
        ...{ display: "grid", gap: 1, overflow: "hidden", flex: "none" },
        gridTemplateColumns: "repeat(auto-fit, minmax(160px, 1fr))",
      }}
    >
      {props.children}
    </Box>
  );
}

export function Total(props: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Box py={12} px={16} miw={0} bg="var(--panel)">
      <Text component="dt" c="dimmed">
        {props.name}
      </Text>
      <Text
        component="dd"
        className="figures"
        truncate
        mt={2}
        fz={22}
        lh="30px"
        fw={600}
      >
        {props.children}
      </Text>
    </Box>
  );
}
