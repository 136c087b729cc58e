// What a simulated change would do on one or many screens, in sentences, and whether that is worth asking about (V3-100).

import type { WhatIfV3 } from "../../../server/contract/v3/v3-what-if.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

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
  return withBroken(sentences, broken);
}

const namedScreens = 3;

/** The same for a change that concerns any number of screens. */
export function fleetConsequenceOf({
  screens,
  changes,
  assertions,
}: Pick<WhatIfV3, "screens" | "changes" | "assertions">): Consequence | null {
  const broken = assertions.filter(({ is_newly_broken }) => is_newly_broken);
  if (screens.changed === 0 && broken.length === 0) return null;
  const namesIn = (some: WhatIfV3["changes"]): string =>
    formats.list(
      some
        .flatMap((change) => change.screens.first)
        .slice(0, namedScreens)
        .map(({ name }) => t("whatIf.named", { name })),
    );
  const sentences: string[] = [];
  if (screens.emptied > 0)
    sentences.push(
      t("whatIf.empties", {
        count: screens.emptied,
        names: namesIn(
          changes.filter(({ emptied_seconds }) => emptied_seconds > 0),
        ),
      }),
    );
  if (screens.empty > 0)
    sentences.push(t("whatIf.emptiesAlways", { count: screens.empty }));
  const others = screens.changed - screens.emptied;
  if (others > 0)
    sentences.push(
      t("whatIf.changesScreens", {
        count: others,
        names: namesIn(
          changes.filter(({ emptied_seconds }) => emptied_seconds === 0),
        ),
      }),
    );
  return withBroken(sentences, broken);
}

function withBroken(
  sentences: readonly string[],
  broken: WhatIfV3["assertions"],
): Consequence {
  const names = formats.list(
    broken.map(({ name }) => t("whatIf.named", { name })),
  );
  return {
    text: [
      ...sentences,
      ...(broken.length > 0 ? [t("whatIf.breaks", { names })] : []),
    ].join(" "),
    isHeldBack: broken.some(({ holds_back }) => holds_back),
  };
}

function namesOf(playlists: Refs): string {
  return formats.list(
    playlists.map(({ title }) => t("whatIf.named", { name: title })),
  );
}
