// Sample rows with every kind of value, and its absence; the same on both databases.

import type { Database } from "../../../server/platform/database/database.ts";
import type { ContentTables } from "../../../server/content/tables.ts";

export interface SampleGroup {
  readonly id: string;
  readonly title: string;
}

export interface SampleAsset {
  readonly id: string;
  readonly asset_group_id: string | null;
  readonly type: string | null;
  readonly title: string;
  readonly duration: number | null;
  readonly width: number | null;
  readonly source_size: number | null;
  readonly send_metadata: boolean;
  readonly pdf_page_enabled: boolean | null;
  readonly status: string;
  readonly md5: string | null;
  readonly metadata: unknown;
  readonly created_at: number;
}

export const sampleGroups: readonly SampleGroup[] = [
  { id: "G1", title: "Lobby" },
  { id: "G2", title: "Menu, board" },
  { id: "G3", title: "Empty" },
];

const day = (text: string): number => Date.parse(`2026-${text}Z`);

function sample(
  id: string,
  title: string,
  values: Partial<SampleAsset>,
): SampleAsset {
  return {
    ...{ id, title, asset_group_id: null, type: null, duration: null },
    ...{ width: null, source_size: null, send_metadata: false },
    ...{ pdf_page_enabled: null, status: "none", md5: null, metadata: {} },
    ...{ created_at: day("01-01T00:00:00") },
    ...values,
  };
}

export const sampleAssets: readonly SampleAsset[] = [
  sample("A1", "Welcome to the lobby", {
    ...{ asset_group_id: "G1", type: "image", duration: 10, width: 1920 },
    ...{ status: "finished", md5: "d41d8cd9", source_size: 9007199254740991 },
    metadata: { tags: ["red", "big"], n: 5, deep: { a: [1, { b: "x" }] } },
  }),
  sample("A2", "welcome, guests (all)", {
    ...{ asset_group_id: "G1", type: "video", duration: 12.5, width: 3840 },
    ...{ status: "finished", send_metadata: true, md5: "0cc175b9" },
    metadata: { tags: ["blue"], n: 10, s: "5" },
    created_at: day("01-02T00:00:00.123"),
  }),
  sample("A3", "100% fresh_juice", {
    ...{ asset_group_id: "G2", type: "web", status: "processing" },
    ...{ metadata: [1, "two", null, 3.5], width: 0 },
    created_at: day("02-01T12:30:00"),
  }),
  sample("A4", "Überraschung", {
    ...{ type: "pdf", status: "error", pdf_page_enabled: false },
    ...{ metadata: null, duration: 0, created_at: day("02-01T12:30:00.5") },
  }),
  sample("A5", 'quote " and \\ back', {
    ...{ asset_group_id: "G2", type: "pdf-page", pdf_page_enabled: true },
    ...{ status: "finished", metadata: "just text", width: 640 },
  }),
  sample("A6", "", {
    ...{ status: "downloading", metadata: { n: null, tags: [] } },
    ...{ source_size: 0, created_at: day("12-31T23:59:59.999") },
  }),
  sample("A7", "*star* [a-z]", {
    ...{ type: "appweb", status: "not-promoted", metadata: { n: -1.5 } },
    duration: 10,
  }),
];

/** Of the team; another team has a group and an asset that this team must never see. */
export async function addSamples(
  { kysely }: Database<ContentTables>,
  team: string,
  otherTeam: string,
): Promise<void> {
  const created_at = day("01-01T00:00:00");
  await kysely
    .insertInto("asset_groups")
    .values([
      ...sampleGroups.map((group) => ({
        ...{ ...group, team_id: team, created_at },
      })),
      { id: "X1", title: "Hidden", team_id: otherTeam, created_at },
    ])
    .execute();
  const foreign = sample("X2", "Hidden", { asset_group_id: "X1" });
  const rows = [
    ...sampleAssets.map((asset) => ({ ...asset, team_id: team })),
    { ...foreign, team_id: otherTeam },
  ];
  for (const { metadata, ...row } of rows)
    await kysely
      .insertInto("assets")
      .values({
        ...row,
        metadata: metadata === null ? null : JSON.stringify(metadata),
      } as never)
      .execute();
}
