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
  const broken = brokenSentences(assertions);
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
  return {
    text: [...sentences, ...broken].join(" "),
    isHeldBack: isHeldBack(assertions),
  };
}

const namedScreens = 3;

type Fleet = Pick<WhatIfV3, "screens" | "changes" | "assertions">;

/** The same for a change that concerns any number of screens. */
export function fleetConsequenceOf(whatIf: Fleet): Consequence | null {
  const sentences = fleetSentences(whatIf);
  return sentences.length === 0
    ? null
    : { text: sentences.join(" "), isHeldBack: isHeldBack(whatIf.assertions) };
}

/** None: all screens show the same, and no assertion breaks. */
export function fleetSentences({
  screens,
  changes,
  assertions,
}: Fleet): readonly string[] {
  const namesIn = (some: WhatIfV3["changes"]): string =>
    listedNames(some.flatMap((change) => change.screens.first));
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
  return [...sentences, ...brokenSentences(assertions)];
}

function listedNames(screens: readonly { readonly name: string }[]): string {
  return formats.list(
    screens
      .slice(0, namedScreens)
      .map(({ name }) => t("whatIf.named", { name })),
  );
}

/** Whether the service holds the change back because of them. */
export function isHeldBack(assertions: WhatIfV3["assertions"]): boolean {
  return assertions.some(
    ({ is_newly_broken, holds_back }) => is_newly_broken && holds_back,
  );
}

/** Which assertions the change breaks, where, and when first. */
function brokenSentences(
  assertions: WhatIfV3["assertions"],
): readonly string[] {
  return assertions
    .filter(({ is_newly_broken }) => is_newly_broken)
    .map(({ name, newly_broken_screens: screens, periods }) => {
      const named = t("whatIf.named", { name });
      const [period] = periods.first;
      const names = listedNames(screens.first);
      if (!period || names === "") return t("whatIf.breaks", { name: named });
      return t("whatIf.breaksOn", {
        name: named,
        count: screens.count,
        names,
        from: formats.dayAndTime(Date.parse(period.from)),
        until: formats.dayAndTime(Date.parse(period.until)),
      });
    });
}

function namesOf(playlists: Refs): string {
  return formats.list(
    playlists.map(({ title }) => t("whatIf.named", { name: title })),
  );
}
