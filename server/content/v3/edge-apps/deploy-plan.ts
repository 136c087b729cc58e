// Plans a deployment: compares manifest and files with the current revision; pure, writes nothing (V3-55).

import type {
  AppManifest,
  DeployV3,
  OutstandingV3,
  PreviewV3,
  SettingManifest,
} from "../../../contract/v3/v3-edge-apps.ts";

/** The manifest's fields of a revision, as its row stores them. */
export interface VersionFacts {
  readonly user_version: string;
  readonly description: string;
  readonly icon: string;
  readonly author: string;
  readonly homepage_url: string;
  readonly categories: readonly string[];
  readonly ready_signal: boolean;
  readonly entrypoint: string;
}

export interface ExistingSetting {
  readonly name: string;
  readonly type: string;
  readonly default_value: string | null;
  readonly title: string | null;
  readonly optional: boolean;
  readonly help_text: string;
  readonly is_global: boolean;
}

/** A file of the app: of any revision, or staged. */
export interface ExistingFile {
  readonly id: string;
  readonly path: string;
  readonly signature: string | null;
  readonly status: string;
  readonly error: string;
  readonly revision: number | null;
}

/** The deployed revision and the existing files. */
export interface AppState {
  /** Null while nothing has been deployed. */
  readonly version: VersionFacts | null;
  readonly fileTree: ReadonlyMap<string, string>;
  readonly settings: readonly ExistingSetting[];
  readonly files: readonly ExistingFile[];
}

export function planDeploy(state: AppState, deployment: DeployV3): PreviewV3 {
  const diff = {
    settings: settingsDiff(state, deployment.manifest),
    revision: { update: changedFacts(state.version, deployment.manifest) },
    files: filesDiff(state, deployment),
  };
  const { create, update } = diff.settings;
  const changes = [
    ...[create, update, diff.revision.update],
    ...Object.values(diff.files),
    settingsToDelete(diff, deployment),
  ];
  return {
    deploy_needed:
      state.version === null || changes.some((names) => names.length > 0),
    outstanding: outstandingOf(state.files, deployment),
    diff,
  };
}

/** Settings that the service generated are deleted with the reason for them; the client's own only on request. */
export function settingsToDelete(
  { settings }: PreviewV3["diff"],
  { delete_missing_settings }: DeployV3,
): readonly string[] {
  return settings.delete.filter(
    (name) => delete_missing_settings || isMade(name),
  );
}

export function isOutstanding(of: OutstandingV3): boolean {
  return of.missing.length + of.pending.length + of.failed.length > 0;
}

export function factsOf(manifest: AppManifest): VersionFacts {
  return {
    user_version: manifest.user_version ?? "",
    description: manifest.description ?? "",
    icon: manifest.icon ?? "",
    author: manifest.author ?? "",
    homepage_url: manifest.homepage_url ?? "",
    categories: manifest.categories ?? [],
    ready_signal: manifest.ready_signal,
    entrypoint: manifest.entrypoint?.uri ?? "",
  };
}

function changedFacts(
  before: VersionFacts | null,
  manifest: AppManifest,
): string[] {
  if (before === null) return [];
  const after = factsOf(manifest);
  return (Object.keys(after) as (keyof VersionFacts)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** Settings of the manifest, and those generated from how the app starts and whom it signs in to. */
export function settingsOf(
  manifest: AppManifest,
): ReadonlyMap<string, SettingManifest> {
  const made = (
    type: "string" | "secret",
    title: string,
    is_global: boolean,
  ): SettingManifest => ({
    ...{ type, title, is_global, optional: false },
    help_text: "",
  });
  const settings = new Map(Object.entries(manifest.settings));
  const { entrypoint, auth } = manifest;
  if (entrypoint && entrypoint.type !== "file")
    settings.set(
      "screenly_entrypoint",
      made("string", "Entrypoint", entrypoint.type === "remote-global"),
    );
  const kind = auth?.auth_type ?? auth?.type;
  const isGlobal = auth?.global ?? false;
  if (kind === "bearer")
    settings.set(
      "screenly_http_bearer_token",
      made("secret", "Bearer token", isGlobal),
    );
  if (kind === "basic")
    settings
      .set(
        "screenly_http_basic_auth_username",
        made("string", "User name", isGlobal),
      )
      .set(
        "screenly_http_basic_auth_password",
        made("secret", "Password", isGlobal),
      );
  return settings;
}

/** Whether the setting is one of those generated from a manifest. */
function isMade(name: string): boolean {
  return name === "screenly_entrypoint" || name.startsWith("screenly_http_");
}

function settingsDiff(state: AppState, manifest: AppManifest) {
  const desiredSettings = settingsOf(manifest);
  const existing = new Map(state.settings.map((each) => [each.name, each]));
  const names = [...desiredSettings.keys()].sort();
  return {
    create: names.filter((name) => !existing.has(name)),
    update: names.filter((name) => {
      const [before, after] = [existing.get(name), desiredSettings.get(name)];
      return before && after && !isSameSetting(before, after);
    }),
    // Others with this prefix belong to the service, and no client can miss them.
    delete: [...existing.keys()]
      .filter((name) => !desiredSettings.has(name))
      .filter((name) => isMade(name) || !name.startsWith("screenly_"))
      .sort(),
  };
}

function isSameSetting(
  before: ExistingSetting,
  after: SettingManifest,
): boolean {
  return (
    before.type === after.type &&
    before.default_value === (after.default_value ?? null) &&
    (before.title ?? "") === (after.title ?? "") &&
    before.optional === after.optional &&
    before.help_text === after.help_text &&
    before.is_global === after.is_global
  );
}

function filesDiff({ fileTree }: AppState, deployment: DeployV3) {
  const paths = [...deployment.file_tree.keys()].sort();
  return {
    create: paths.filter((path) => !fileTree.has(path)),
    update: paths.filter((path) => {
      const before = fileTree.get(path);
      return before !== undefined && before !== deployment.file_tree.get(path);
    }),
    delete: [...fileTree.keys()]
      .filter((path) => !deployment.file_tree.has(path))
      .sort(),
  };
}

/** A processed file is identified by its signature; until then by the name it was uploaded under. */
function outstandingOf(
  files: readonly ExistingFile[],
  deployment: DeployV3,
): OutstandingV3 {
  const here = new Set(
    files
      .filter(({ status }) => status === "finished")
      .map(({ signature }) => signature),
  );
  // Of several uploads under one name the last one counts.
  const staged = new Map(
    files
      .filter(
        ({ revision, status }) => revision === null && status !== "finished",
      )
      .map((file) => [file.path, file]),
  );
  const outstanding = {
    ...{ missing: [] as string[], pending: [] as string[] },
    failed: [] as { path: string; error: string }[],
  };
  for (const [path, signature] of [...deployment.file_tree].sort()) {
    if (here.has(signature)) continue;
    const file = staged.get(path);
    if (!file) outstanding.missing.push(path);
    else if (file.status === "error")
      outstanding.failed.push({ path, error: file.error });
    else outstanding.pending.push(path);
  }
  return outstanding;
}
