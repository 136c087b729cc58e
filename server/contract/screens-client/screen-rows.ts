// Screens in the responses of a content service: with their states (V3-81), or from the list of version 3, which has fewer facts.

import * as z from "zod";
import type { ScreenView } from "../ipc/ipc-screens.ts";
import { screenReport } from "../link/screen-report.ts";
import { screenStateV3 } from "../v3/v3-screens.ts";

export interface ScreenRow {
  readonly view: ScreenView;
  /** Signed, and so different in each response. */
  readonly pictureUrl: string | null;
}

/** What tells whether a row has changed, and its address, before it is validated. */
export function comparableRow(value: unknown): {
  readonly id: string | null;
  readonly text: string;
  readonly pictureUrl: string | null;
} {
  const { screenshot, last_screenshot, ...row } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { url, ...picture } = (screenshot ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const address = url ?? last_screenshot;
  const pictureUrl =
    typeof address === "string" && address !== "" ? address : null;
  // The signature of the address differs in each response.
  const place = screenshot ? "" : pictureUrl?.split("?")[0];
  return {
    id: typeof row["id"] === "string" ? row["id"] : null,
    text: JSON.stringify([row, picture, place]),
    pictureUrl,
  };
}

/** A later service may have states and reports that this version does not know. */
const stateRow = screenStateV3.extend({
  state: screenStateV3.shape.state.catch("unverified"),
  report: screenReport.nullable().catch(null),
});

/** Null for a row without an identifier. */
export function rowOfStates(value: unknown): ScreenRow | null {
  const reading = stateRow.safeParse(value);
  // Listed all the same: a screen that is not in the list looks as if it had been removed.
  if (!reading.success) return rowOfList(value);
  const { screenshot, ...screen } = reading.data;
  return {
    view: {
      ...screen,
      screenshot: screenshot && {
        ...{ key: screenshot.taken_at, taken_at: screenshot.taken_at },
      },
    },
    pictureUrl: screenshot?.url ?? null,
  };
}

const listRow = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  name: z.string().catch(""),
  status: z.string().catch("Offline"),
  in_sync: z.boolean().catch(false),
  is_enabled: z.boolean().catch(true),
  last_ping: z.string().nullable().catch(null),
  last_screenshot: z.string().catch(""),
  groups: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .catch([])
    .transform((groups) =>
      groups.filter(({ id }) => !/^all[-_]screens$/.test(id)),
    ),
});

export function rowOfList(value: unknown): ScreenRow | null {
  const reading = listRow.safeParse(value);
  if (!reading.success) return null;
  const { id, last_screenshot: picture, ...screen } = reading.data;
  return {
    view: {
      ...{ id, name: screen.name === "" ? id : screen.name },
      ...{ is_enabled: screen.is_enabled, timezone: "", location: "" },
      ...{ groups: screen.groups, state: stateOf(screen), state_since: null },
      ...{ reason: null, report: null, reported_at: null, item_counts: null },
      ...{ last_ping: screen.last_ping, software_version: null },
      screenshot:
        picture === ""
          ? null
          : { key: picture.split("?")[0] ?? "", taken_at: null },
    },
    pictureUrl: picture === "" ? null : picture,
  };
}

/** As L-40, as far as the list tells. */
function stateOf(
  screen: Omit<z.infer<typeof listRow>, "id" | "last_screenshot">,
): ScreenView["state"] {
  if (screen.last_ping === null) return "never-seen";
  if (screen.status === "Offline") return "offline";
  if (!screen.is_enabled) return "dark";
  return screen.in_sync || screen.status === "Syncing"
    ? "unverified"
    : "incomplete";
}
