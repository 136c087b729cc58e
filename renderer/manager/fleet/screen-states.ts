// The states of a screen: their order, and the symbol and colour of each.

import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashedCheck,
  IconCloudDown,
  IconDeviceTvOff,
  IconMoon,
  IconPlugConnectedX,
  type Icon,
} from "@tabler/icons-react";
import type { ScreenState } from "../../../server/contract/link/screen-report.ts";

/** From what needs somebody to what does not. */
export const statesByUrgency: readonly ScreenState[] = [
  ...(["wrong", "incomplete", "offline", "never-seen"] as const),
  ...(["unverified", "dark", "right"] as const),
];

/** In the line of counts, where what is right comes first. */
export const statesInCounts: readonly ScreenState[] = [
  ...(["right", "unverified", "wrong", "incomplete"] as const),
  ...(["offline", "dark", "never-seen"] as const),
];

/** Green only for what is verified, red only for what is wrong, amber for what needs somebody soon. */
export const stateTones: Readonly<
  Record<ScreenState, "good" | "fault" | "waiting" | "plain">
> = {
  ...({ right: "good", wrong: "fault", offline: "fault" } as const),
  ...({ incomplete: "waiting", unverified: "plain" } as const),
  ...({ dark: "plain", "never-seen": "plain" } as const),
};

export const stateIcons: Readonly<Record<ScreenState, Icon>> = {
  right: IconCircleCheck,
  unverified: IconCircleDashedCheck,
  wrong: IconAlertTriangle,
  incomplete: IconCloudDown,
  offline: IconPlugConnectedX,
  dark: IconMoon,
  "never-seen": IconDeviceTvOff,
};
