// Saves a report as CSV: of this player, or of all screens of a content service. At the service itself, the browser downloads it as the
// service sends it, however long it is.

import { csvOf } from "../../../server/contract/csv.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import { operate } from "../api/operations.ts";
import {
  notifyFailure,
  notifySuccess,
} from "../components/outcomes/outcome.ts";
import { can } from "../place/abilities.ts";
import { download, saveText } from "../saved-files/saved-text.ts";
import { bridge } from "../transport/bridge.ts";
import {
  groupingOfFile,
  type ReportSource,
  type ServiceView,
} from "./service-report.ts";
import { queryOf } from "./use-report-source.ts";

export type ReportView = "asset" | "day" | ServiceView;

export async function saveReport(
  source: ReportSource | null,
  view: ReportView,
  from: string,
  to: string,
): Promise<void> {
  const name = plainMessage("reports.fileName", { from, to });
  try {
    if (source !== null && !can("player")) {
      // The browser does not report a rejection of what it downloads.
      await bridge().readPlaybackReport({
        ...{ ...queryOf(source), from, to, by: ["day"] },
      });
      download(addressOfFile(source, view, from, to), name);
      return;
    }
    const text =
      source === null
        ? String(
            (await operate("reportPlaybacks", {
              parameters: { from, to, format: "csv" },
            })) as unknown,
          )
        : csvOf(
            await bridge().readPlaybackReport({
              ...{ ...queryOf(source), from, to, by: groupingOfFile(view) },
            }),
          );
    const saved = await saveText(name, text);
    if (saved !== null) notifySuccess(t("reports.exported"), saved.path);
  } catch (error) {
    notifyFailure(t("reports.exportFailed"), error);
  }
}

/** For the browser itself, at the service (V3-87). */
function addressOfFile(
  { labelId, screenId }: ReportSource,
  view: ReportView,
  from: string,
  to: string,
): string {
  const query = new URLSearchParams([
    ...[
      ["from", from],
      ["to", to],
      ["format", "csv"],
    ],
    ...groupingOfFile(view).map((by) => ["by", by]),
    ...(labelId === null ? [] : [["group", labelId]]),
    ...(screenId === null ? [] : [["screen", screenId]]),
  ]);
  return `/api/v3/playbacks/report?${query.toString()}`;
}
