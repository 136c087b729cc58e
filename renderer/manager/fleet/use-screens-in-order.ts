// Screens by their names, as a hook: of ten thousand of which a few change, only those are sorted again.

import { useMemo, useState } from "react";
import { language } from "../../locales/language.ts";
import type { ScreenItem } from "./find-screens.ts";
import { createScreenOrder } from "./screen-order.ts";

export function useScreensInOrder(
  all: readonly ScreenItem[],
): readonly ScreenItem[] {
  const [inOrder] = useState(() => createScreenOrder<ScreenItem>(language));
  return useMemo(() => inOrder(all), [inOrder, all]);
}
