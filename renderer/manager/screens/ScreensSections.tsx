// Switches the screens page between the screens and their outages.

import { SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { goTo } from "../place/navigation.ts";

/** In the address of the page; screens are addressed by their service, too, with a slash. */
export const outagesAt = "outages";

const sections = ["screens", "outages"] as const;

export function ScreensSections({
  section,
}: {
  readonly section: (typeof sections)[number];
}): ReactNode {
  return (
    <SegmentedControl
      aria-label={t("screens.sections.label")}
      data={sections.map((value) => ({
        ...{ value, label: t(`screens.sections.${value}`) },
      }))}
      value={section}
      onChange={(value) => {
        goTo("screens", value === "outages" ? outagesAt : "");
      }}
    />
  );
}
