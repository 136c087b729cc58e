// Symbols of the causes of outages.

import {
  IconApps,
  IconBolt,
  IconCalendarCheck,
  IconCloudDown,
  IconDeviceDesktopOff,
  IconHelpCircle,
  IconWifiOff,
  type Icon,
} from "@tabler/icons-react";
import type { OutageCause } from "../../../../server/contract/link/screen-report.ts";

export const causeIcons: Readonly<Record<OutageCause, Icon>> = {
  network: IconWifiOff,
  power: IconBolt,
  app: IconApps,
  content: IconCloudDown,
  display: IconDeviceDesktopOff,
  planned: IconCalendarCheck,
  unknown: IconHelpCircle,
};
