// Apps of the faulty content service: the rows of its collections, and the files of the apps.

export interface CloudApp {
  readonly revision: number;
  /** By path. */
  readonly files: Readonly<Record<string, Buffer>>;
}

interface Installed {
  readonly id: string;
  readonly app: CloudApp;
}

export interface AppPart {
  readonly id: string;
  readonly path: string;
  readonly bytes: Buffer;
}

export function installedIn(
  assets: readonly { readonly id: string; readonly app?: CloudApp }[],
): readonly Installed[] {
  const known = new Map(
    assets.flatMap(({ id, app }) => (app ? [[id, { id, app }] as const] : [])),
  );
  return [...known.values()];
}

export function partsOf({ id, app }: Installed): readonly AppPart[] {
  return Object.entries(app.files).map(([path, bytes], place) => ({
    id: `${id}-r${app.revision}-${place}`,
    ...{ path, bytes },
  }));
}

/** The rows of a collection below `/v4.1/edge-apps`; null where there is none of that name. */
export function appRows(
  collection: string,
  all: readonly Installed[],
): readonly unknown[] | null {
  if (collection === "settings") return [];
  if (collection === "installations")
    return all.map(({ id }) => ({
      ...{ id: `i-${id}`, app_id: id, app_channel: "stable" },
    }));
  if (collection === "channels")
    return all.map(({ id, app }) => ({
      ...{ app_id: id, channel: "stable", app_revision: app.revision },
    }));
  if (collection === "versions")
    return all.map(({ id, app }) => ({
      ...{ app_id: id, revision: app.revision },
      ...{ entrypoint: "index.html", ready_signal: false },
    }));
  return null;
}
