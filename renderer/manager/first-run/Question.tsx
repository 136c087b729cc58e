// The question of a first-run step, above its answers.

import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

interface Props extends TextProps {
  readonly id?: string;
  /** Of a group of fields. */
  readonly isLegend?: boolean;
  readonly children: string;
}

export function Question({ isLegend = false, ...props }: Props): ReactNode {
  return (
    <Text
      component={isLegend ? "legend" : "p"}
      // Browsers ignore a legend's margin: all questions start at one height.
      pt={16}
      mb={12}
      fz={18}
      lh="26px"
      fw={600}
      {...props}
    />
  );
}
