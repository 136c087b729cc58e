// What a simulated change of one screen would do, in sentences, and whether that is worth asking about (V3-100).

import type { WhatIfV3 } from "../../../../server/contract/v3/v3-what-if.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";

type Refs = WhatIfV3["changes"][number]["periods"]["first"][number]["before"];

export interface Consequence {
  readonly text: string;
  /** It breaks an assertion that holds changes back. */
  readonly isHeldBack: boolean;
}

/** Null: the screen shows the same, and no assertion breaks. */
export function consequenceOf({
  changes,
  assertions,
}: WhatIfV3): Consequence | null {
  const [change] = changes;
  const broken = assertions.filter(({ is_newly_broken }) => is_newly_broken);
  if (!change && broken.length === 0) return null;
  const sentences: string[] = [];
  const [first] = change?.periods.first ?? [];
  if (change && first) {
    const from = formats.dayAndTime(Date.parse(first.from));
    const [before, after] = [namesOf(first.before), namesOf(first.after)];
    if (first.after.length === 0)
      sentences.push(t("whatIf.emptyFrom", { from, before }));
    else if (first.before.length === 0)
      sentences.push(t("whatIf.startsFrom", { from, after }));
    else if (before === after)
      sentences.push(t("whatIf.otherContentFrom", { from, after }));
    else sentences.push(t("whatIf.changesFrom", { from, before, after }));
    sentences.push(
      t("whatIf.changedFor", {
        duration: formats.length(change.changed_seconds),
      }),
    );
  }
  if (change?.is_empty) sentences.push(t("whatIf.alwaysEmpty"));
  else if (change && change.emptied_seconds > 0)
    sentences.push(
      t("whatIf.emptyFor", {
        duration: formats.length(change.emptied_seconds),
      }),
    );
  if (broken.length > 0)
    sentences.push(
      t("whatIf.breaks", {
        names: formats.list(
          broken.map(({ name }) => t("whatIf.named", { name })),
        ),
      }),
    );
  return {
    text: sentences.join(" "),
    isHeldBack: broken.some(({ holds_back }) => holds_back),
  };
}

function namesOf(playlists: Refs): string {
  return formats.list(
    playlists.map(({ title }) => t("whatIf.named", { name: title })),
  );
}
