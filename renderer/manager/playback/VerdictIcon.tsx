// Icon of a verdict; its words are always next to it.

import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashedCheck,
  IconClockExclamation,
  IconUrgent,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Tone } from "./verdict.ts";

const signs: Readonly<Record<Tone, Icon>> = {
  good: IconCircleCheck,
  plain: IconCircleDashedCheck,
  waiting: IconClockExclamation,
  fault: IconAlertTriangle,
  takeover: IconUrgent,
};

export function VerdictSign({
  tone,
  size,
}: {
  readonly tone: Tone;
  readonly size: number;
}): ReactNode {
  const Sign = signs[tone];
  return <Sign size={size} stroke={2} aria-hidden />;
}
