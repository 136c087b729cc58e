// Reads the activity log of a content service page by page, looks for new entries, and exports it (V3-184, V3-200 to V3-202).

import type {
  ActivityPageV3,
  ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import type { ActivityQuery } from "../../activity/use-activity-filter.ts";
import type { LogSource } from "../../activity/use-paged-activity.ts";
import {
  notifyFailure,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { download, saveText } from "../../saved-files/saved-text.ts";
import {
  requestService,
  servicePrefix,
} from "../../service-requests/service-requests.ts";

const pageSize = 200;
/** A change of another person is visible after at most this time. */
const pollMs = 5_000;
/** The most that the service returns per request (V3-201). */
const atOnce = 1_000;

type Parameters = Readonly<Record<string, string>>;

export interface ServiceActivityQuery extends ActivityQuery {
  /** Empty: of everything. */
  readonly resource: string;
}

function parametersOf(
  { kind, actor, search, backMs, resource }: ServiceActivityQuery,
  now: number,
): Parameters {
  return {
    ...(kind === "" ? {} : { kind }),
    ...(actor === "" ? {} : { actor }),
    ...(resource === "" ? {} : { resource }),
    ...(search === "" ? {} : { text: search }),
    ...(backMs === null ? {} : { since: new Date(now - backMs).toISOString() }),
  };
}

function pathOf(parameters: Parameters): string {
  return `/activity/?${new URLSearchParams(parameters).toString()}`;
}

function readPage(parameters: Parameters): Promise<ActivityPageV3> {
  return requestService<ActivityPageV3>("GET", pathOf(parameters));
}

export function sourceOf(query: ServiceActivityQuery): LogSource<ActivityV3> {
  return {
    key: ["service activity", query],
    read: (from) =>
      readPage({
        ...parametersOf(query, Date.now()),
        limit: String(pageSize),
        ...(from === null ? {} : { cursor: String(from) }),
      }),
    idOf: ({ id }) => id,
    watch: (onNew) => {
      const timer = setInterval(() => {
        if (!document.hidden) onNew();
      }, pollMs);
      return () => {
        clearInterval(timer);
      };
    },
  };
}

export async function exportServiceActivity(
  query: ServiceActivityQuery,
  format: "csv" | "json",
): Promise<void> {
  const name = `${plainMessage("activity.fileName")}.${format}`;
  const parameters = parametersOf(query, Date.now());
  try {
    if (format === "csv") {
      // The browser does not report a rejection of what it downloads.
      await readPage({ ...parameters, limit: "1" });
      const path = pathOf({ ...parameters, format });
      download(servicePrefix + path, name);
      return;
    }
    const entries = await allOf(parameters);
    await saveText(name, `${JSON.stringify(entries, null, 1)}\n`);
    notifySuccess(t("activity.exported"), name);
  } catch (error) {
    notifyFailure(t("activity.exportFailed"), error);
  }
}

async function allOf(parameters: Parameters): Promise<readonly ActivityV3[]> {
  const entries: ActivityV3[] = [];
  let cursor: string | null = null;
  do {
    const page: ActivityPageV3 = await readPage({
      ...{ ...parameters, limit: String(atOnce) },
      ...(cursor === null ? {} : { cursor }),
    });
    entries.push(...page.entries);
    cursor = page.next;
  } while (cursor !== null);
  return entries;
}
