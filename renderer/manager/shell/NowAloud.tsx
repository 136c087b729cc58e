// Says each new slide to those who listen instead of looking; politely, so nothing is cut short.

import type { ReactNode } from "react";
import { useNow } from "../api.ts";
import { texts } from "../texts/texts.ts";

export function NowAloud(): ReactNode {
  const name = useNow().data?.showing?.name;
  return (
    <div aria-live="polite" className="only-aloud">
      {name === undefined ? "" : texts.now.nowShowing(name)}
    </div>
  );
}
