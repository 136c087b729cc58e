// What an assertion demands, and what its last check found, in words.

import type { AssertionV3 } from "../../../../server/contract/v3/v3-what-if.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { whenInWords } from "./assertion-times.ts";

export function subjectText(assertion: AssertionV3): string {
  const { kind, assets, folders, every_minutes: minutes } = assertion;
  const things = formats.alternatives([
    ...assets.map(({ title }) =>
      title === null
        ? t("assertions.unknownAsset")
        : t("whatIf.named", { name: title }),
    ),
    ...folders.map((name) => t("assertions.folder", { name })),
  ]);
  const when = whenInWords(assertion.predicate);
  return kind === "never"
    ? t("assertions.never", { things, when })
    : t("assertions.atLeast", {
        things,
        when,
        duration: formats.length((minutes ?? 0) * 60),
      });
}

export function checkText(check: AssertionV3["last_check"]): string {
  if (check === null) return t("assertions.notChecked");
  if (check.problem !== undefined) {
    const time = formats.near(Date.parse(check.checked_at));
    return check.problem.code === "too-large"
      ? t("assertions.tooLarge", { time })
      : t("assertions.notCheckable", { time });
  }
  if (!check.is_broken)
    return t("assertions.kept", {
      time: formats.near(Date.parse(check.checked_at)),
    });
  const { count, first } = check.screens;
  const [screen] = first;
  const [period] = check.periods.first;
  return t("assertions.broken", {
    count,
    name: screen?.name ?? "",
    from: period ? formats.dayAndTime(Date.parse(period.from)) : "",
  });
}
