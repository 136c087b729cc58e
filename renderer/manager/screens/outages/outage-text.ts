// What an outage was, in the operator's language; the sentences of the service are English.

import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";
import { t } from "../../../locales/messages.ts";

/** As in `screen-state.ts` of the service; a later one may have others, which are shown as they are. */
export function whatHappened({ state, reason }: ScreenOutageV3): string {
  if (state === "offline") return t("screens.outages.why.offline");
  const [, what = "", name = ""] =
    /^The screen (is blank instead of showing|is frozen instead of showing|shows something other than) (?:“(.*)”|its content)\.$/s.exec(
      reason,
    ) ?? [];
  if (what !== "" && name !== "") {
    if (what.startsWith("is blank"))
      return t("screens.outages.why.blank", { name });
    return what.startsWith("is frozen")
      ? t("screens.outages.why.frozen", { name })
      : t("screens.outages.why.other", { name });
  }
  if (reason.startsWith("Nothing that is due can be shown"))
    return t("screens.outages.why.notReady");
  const [, count, wanted, isFailed] =
    /^(\d{1,9}) of (\d{1,9}) items (?:(failed)|is missing|are missing)/.exec(
      reason,
    ) ?? [];
  if (count === undefined || wanted === undefined) return reason;
  return isFailed
    ? t("screens.outages.why.failed", {
        count: Number(count),
        wanted: Number(wanted),
      })
    : t("screens.outages.why.missing", {
        count: Number(count),
        wanted: Number(wanted),
      });
}

/** Of those that explain the most time first. */
export function causesText(total: {
  readonly causes: Partial<
    Readonly<
      Record<
        ScreenOutageV3["cause"],
        { readonly outages: number; readonly duration_seconds: number }
      >
    >
  >;
}): readonly {
  readonly cause: ScreenOutageV3["cause"];
  readonly outages: number;
}[] {
  return Object.entries(total.causes)
    .map(([cause, figures]) => ({
      cause: cause as ScreenOutageV3["cause"],
      ...figures,
    }))
    .sort(
      (a, b) =>
        b.duration_seconds - a.duration_seconds || b.outages - a.outages,
    );
}
