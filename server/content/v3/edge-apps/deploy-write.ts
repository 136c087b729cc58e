// Writes a revision in one transaction: its row, settings, files, and the channel that plays it (V3-56).

import type {
  DeployV3,
  PreviewV3,
  SettingManifest,
} from "../../../contract/v3/v3-edge-apps.ts";
import { fieldFailure } from "../../../core/failure.ts";
import type { Pair } from "../../ingest/share-files.ts";
import { named, sql, trusted } from "../../sql.ts";
import {
  factsOf,
  settingsOf,
  settingsToDelete,
  type ExistingFile,
} from "./deploy-plan.ts";
import type { FoundState } from "./deploy-state.ts";
import type { Place } from "./deploy-place.ts";
import { dialectFlag } from "../operation/stored.ts";
import type { RunQuery, V3 } from "../operation/v3.ts";

export interface DeployContext {
  readonly v3: V3;
  readonly runQuery: RunQuery;
  readonly place: Place;
  readonly share: (pairs: readonly Pair[]) => Promise<void>;
}

export interface DeployOrder {
  readonly state: FoundState;
  readonly deployment: DeployV3;
  readonly plan: PreviewV3;
}

/** Returns the new revision. */
export async function writeRevision(
  context: DeployContext,
  order: DeployOrder,
): Promise<number> {
  const revision = order.state.lastRevision + 1;
  // Clients may upload a file with any revision number.
  if (!Number.isSafeInteger(revision))
    throw fieldFailure("manifest.id", "This app has no number left.");
  await writeVersion(context, order.deployment, revision);
  await writeSettings(context, order);
  await claimFiles(context, order, revision);
  await promote(context, revision);
  return revision;
}

async function writeVersion(
  { v3, runQuery, place }: DeployContext,
  { manifest, file_tree }: DeployV3,
  revision: number,
): Promise<void> {
  const facts = factsOf(manifest);
  const entrypoint =
    facts.entrypoint === "" ? null : JSON.stringify(facts.entrypoint);
  await runQuery(
    sql`INSERT INTO edge_app_versions (row_id, team_id, app_id, revision, user_version, description, icon, author,
        homepage_url, categories, ready_signal, file_tree, entrypoint, published, created_at)
      VALUES (${v3.makeId()}, ${place.team}, ${place.app}, ${revision}, ${facts.user_version}, ${facts.description},
        ${facts.icon}, ${facts.author}, ${facts.homepage_url}, ${JSON.stringify(facts.categories)},
        ${dialectFlag(v3.dialect, facts.ready_signal)}, ${JSON.stringify(Object.fromEntries(file_tree))},
        ${entrypoint}, ${dialectFlag(v3.dialect, true)}, ${v3.now()})`,
  );
}

async function writeSettings(
  context: DeployContext,
  { state, deployment, plan }: DeployOrder,
): Promise<void> {
  const { runQuery, place, v3 } = context;
  const desiredSettings = settingsOf(deployment.manifest);
  const { create, update } = plan.diff.settings;
  const ids = new Map(state.settingIds);
  for (const name of create) {
    const id = v3.makeId();
    ids.set(name, id);
    await runQuery(
      sql`INSERT INTO edge_app_settings (id, team_id, app_id, name, created_at)
        VALUES (${id}, ${place.team}, ${place.app}, ${name}, ${v3.now()})`,
    );
  }
  for (const name of [...create, ...update]) {
    const setting = desiredSettings.get(name);
    if (setting) await writeSetting(context, ids.get(name) ?? "", setting);
  }
  for (const name of settingsToDelete(plan.diff, deployment))
    await runQuery(
      sql`DELETE FROM edge_app_settings WHERE team_id = ${place.team} AND app_id = ${place.app} AND name = ${name}`,
    );
  const uri = deployment.manifest.entrypoint?.uri ?? "";
  const entrypoint = ids.get("screenly_entrypoint");
  if (uri !== "" && entrypoint !== undefined)
    await setValue(context, entrypoint, "screenly_entrypoint", uri);
}

async function writeSetting(
  { v3, runQuery, place }: DeployContext,
  id: string,
  setting: SettingManifest,
): Promise<void> {
  const flag = (value: boolean) => dialectFlag(v3.dialect, value);
  await runQuery(
    sql`UPDATE edge_app_settings SET type = ${setting.type}, default_value = ${setting.default_value ?? null},
        title = ${setting.title ?? null}, optional = ${flag(setting.optional)}, help_text = ${setting.help_text},
        is_global = ${flag(setting.is_global)}
      WHERE team_id = ${place.team} AND id = ${id}`,
  );
  // A setting that becomes a secret, or stops being one, loses its values.
  const other =
    setting.type === "secret"
      ? "edge_app_setting_values"
      : "edge_app_secret_values";
  await runQuery(
    sql`DELETE FROM ${named(other)} WHERE team_id = ${place.team} AND setting_id = ${id}`,
  );
}

/** Of all installations. */
async function setValue(
  { v3, runQuery, place }: DeployContext,
  setting: string,
  name: string,
  value: string,
): Promise<void> {
  await runQuery(
    sql`INSERT INTO edge_app_setting_values (row_id, team_id, setting_id, app_id, installation_id, name, value, created_at)
      VALUES (${v3.makeId()}, ${place.team}, ${setting}, ${place.app}, NULL, ${name}, ${value}, ${v3.now()})
      ON CONFLICT (setting_id, coalesce(installation_id, '')) DO UPDATE SET value = excluded.value`,
  );
}

/** A staged file becomes a file of the revision; one of an earlier revision, or one needed twice, is shared. */
async function claimFiles(
  context: DeployContext,
  { state, deployment }: DeployOrder,
  revision: number,
): Promise<void> {
  const { runQuery, place } = context;
  const bySignature = new Map<string, ExistingFile[]>();
  for (const file of state.files) {
    if (file.status !== "finished" || file.signature === null) continue;
    const same = bySignature.get(file.signature);
    if (same) same.push(file);
    else bySignature.set(file.signature, [file]);
  }
  const claimed = new Set<string>();
  const pairs: Pair[] = [];
  for (const [path, signature] of deployment.file_tree) {
    const same = bySignature.get(signature) ?? [];
    const staged = same.filter(
      ({ id, revision: of }) => of === null && !claimed.has(id),
    );
    const file = staged.find((each) => each.path === path) ?? staged[0];
    if (file) {
      claimed.add(file.id);
      await runQuery(
        sql`UPDATE assets SET app_revision = ${revision}, title = ${path} WHERE team_id = ${place.team} AND id = ${file.id}`,
      );
    } else if (same[0])
      pairs.push(await copyFile(context, same[0].id, path, revision));
  }
  await context.share(pairs);
}

const copied = trusted(
  "type, status, signature, asset_url, md5, source_md5, mimetype, source_size, source_url, thumbnail_uri",
);

async function copyFile(
  { v3, runQuery, place }: DeployContext,
  from: string,
  path: string,
  revision: number,
): Promise<Pair> {
  const id = v3.makeId();
  await runQuery(
    sql`INSERT INTO assets (id, team_id, app_id, app_revision, title, created_at, ${copied})
      SELECT ${sqlText(id)}, team_id, app_id, ${v3.dialect.stored({ type: "integer", value: BigInt(revision) })},
        ${sqlText(path)}, ${v3.dialect.stored({ type: "moment", value: v3.now() })}, ${copied}
      FROM assets WHERE team_id = ${place.team} AND id = ${from}`,
  );
  return { from, to: id };

  function sqlText(value: string) {
    return v3.dialect.stored({ type: "text", value });
  }
}

async function promote(
  { v3, runQuery, place }: DeployContext,
  revision: number,
): Promise<void> {
  await runQuery(
    sql`INSERT INTO edge_app_channels (row_id, team_id, app_id, channel, app_revision, created_at)
      VALUES (${v3.makeId()}, ${place.team}, ${place.app}, 'stable', ${revision}, ${v3.now()})
      ON CONFLICT (team_id, app_id, channel) DO UPDATE SET app_revision = excluded.app_revision`,
  );
}
