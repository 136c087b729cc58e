// Saves the outages that are listed as CSV at a place the operator chooses, however many they are.

import { csvOf } from "../../../../server/contract/csv.ts";
import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import {
  notifyFailure,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { saveText } from "../../saved-files/saved-text.ts";
import { bridge } from "../../transport/bridge.ts";

export interface OutageQuery {
  readonly serviceId: string;
  readonly since: string;
  readonly labelId: string | null;
}

const columns = [
  ...(["screen_name", "state", "cause", "reason", "started_at"] as const),
  ...(["ended_at", "duration_seconds", "screen_id", "id"] as const),
] as const;
/** The most that a service returns per request (V3-84). */
const atOnce = 10_000;
/** More than any spreadsheet opens. */
const maxRows = 1_000_000;

export async function exportOutages(query: OutageQuery): Promise<void> {
  try {
    const outages = await allOf(query);
    const day = new Date().toISOString().slice(0, 10);
    const saved = await saveText(
      plainMessage("screens.outages.fileName", { day }),
      csvOf(outages, columns),
    );
    if (saved !== null)
      notifySuccess(t("screens.outages.exported"), saved.path);
  } catch (error) {
    notifyFailure(t("screens.outages.exportFailed"), error);
  }
}

/** One that ends meanwhile moves from the first page to a later one. */
async function allOf(query: OutageQuery): Promise<readonly ScreenOutageV3[]> {
  const outages = new Map<string, ScreenOutageV3>();
  for (let offset = 0; offset < maxRows; offset += atOnce) {
    const page = await bridge().listScreenOutages({
      ...{ ...query, offset, limit: atOnce },
    });
    for (const outage of page) outages.set(outage.id, outage);
    if (page.length < atOnce) break;
  }
  return [...outages.values()];
}
