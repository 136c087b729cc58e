// Edge apps in version 3: what a deployment brings and what it is answered (V3-55 to V3-58).

import * as z from "zod";
import {
  flag,
  jsonOf,
  read,
  required,
  textOrNull,
  type Reading,
} from "./v3-values.ts";

const maxFiles = 10_000;
const maxSettings = 1000;
const maxPathLength = 1000;
const maxSignatureLength = 4_194_304;
const maxLength = 65_536;

/** Path → signature of the bytes (V4-222). */
export type FileTree = ReadonlyMap<string, string>;

/** Made by the service for every app. */
const ownFiles = new Set(["screenly.yml", "screenly.js"]);

const fileTree = (raw: unknown): Reading<FileTree> => {
  const json = jsonOf(raw);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return { sentence: "This must be an object of paths and signatures." };
  const entries = Object.entries(json) as [string, unknown][];
  if (entries.length > maxFiles)
    return { sentence: `This has more than ${maxFiles} files.` };
  for (const [path, signature] of entries) {
    const name = JSON.stringify(path.slice(0, 100));
    if (!isPath(path)) return { sentence: `${name} is no path inside an app.` };
    if (ownFiles.has(path)) return { sentence: `${name} is a reserved name.` };
    if (
      typeof signature !== "string" ||
      signature.length > maxSignatureLength ||
      !/^([0-9a-f]{2})+$/.test(signature)
    )
      return { sentence: `The signature of ${name} must be hex digits.` };
  }
  return { value: new Map(entries as [string, string][]) };
};

function isPath(path: string): boolean {
  const parts = path.split("/");
  return (
    path.length <= maxPathLength &&
    !/[\\\0]/.test(path) &&
    parts.every((part) => part !== "" && part !== "." && part !== "..")
  );
}

const optionalText = read(textOrNull(maxLength)).optional();

/** Plain, or an object that a desk shows as a form; kept as text. */
const helpText = (raw: unknown): Reading<string> => {
  if (raw === null) return { value: "" };
  return typeof raw === "object"
    ? { value: JSON.stringify(raw) }
    : textOrNull(maxLength)(raw);
};

/** Null says as little as leaving it out, here as in every other field that may be left out. */
const flagOrFalse = read(flag)
  .nullish()
  .transform((value) => value ?? false);

const setting = z
  .object({
    type: z.enum(["string", "secret"]),
    default_value: z.string().max(maxLength).nullish(),
    title: z.string().max(maxLength).nullish(),
    optional: flagOrFalse,
    help_text: read(helpText).default(""),
    is_global: flagOrFalse,
  })
  .refine(
    ({ type, default_value }) =>
      type !== "secret" || (default_value ?? null) === null,
    { path: ["default_value"], error: "A secret has no default." },
  );
export type SettingManifest = Readonly<z.infer<typeof setting>>;

const settingNames = z
  .record(z.string(), z.unknown())
  .superRefine((settings, context) => {
    const names = Object.keys(settings);
    if (names.length > maxSettings)
      context.addIssue({
        code: "custom",
        message: `There are more than ${maxSettings} settings.`,
      });
    for (const name of names)
      if (name.startsWith("screenly_") || name === "" || name.length > 200)
        context.addIssue({
          ...{ code: "custom", path: [name] },
          message: "This name is reserved, empty or too long.",
        });
  });

const entrypoint = z
  .object({
    type: z.enum(["file", "remote-global", "remote-local"]),
    uri: z.string().max(8192).nullish(),
  })
  .refine(
    ({ type, uri }) => (type === "remote-global") === ((uri ?? "") !== ""),
    { path: ["uri"], error: "This belongs to remote-global, and to it alone." },
  );

const manifest = z.object({
  syntax: z.literal("manifest_v1").nullish(),
  id: z.string().nullish(),
  user_version: optionalText,
  description: optionalText,
  icon: optionalText,
  author: optionalText,
  homepage_url: optionalText,
  categories: z.array(z.string().max(200)).max(100).nullish(),
  ready_signal: flagOrFalse,
  entrypoint: entrypoint.nullish(),
  auth: z
    .object({
      auth_type: z.enum(["basic", "bearer"]).nullish(),
      type: z.enum(["basic", "bearer"]).nullish(),
      global: flagOrFalse,
    })
    .nullish(),
  settings: settingNames
    .pipe(z.record(z.string(), setting))
    .nullish()
    .transform((settings) => settings ?? {}),
});
export type AppManifest = Readonly<z.infer<typeof manifest>>;

/** The body of deploy and of its preview. */
export const deployV3 = z.object({
  manifest: z.preprocess(jsonOf, manifest),
  file_tree: required(fileTree),
  delete_missing_settings: flagOrFalse,
});
export type DeployV3 = Readonly<z.infer<typeof deployV3>>;

const names = z.array(z.string());

export const outstandingV3 = z.strictObject({
  /** Not uploaded. */
  missing: names,
  /** Uploaded and not yet processed. */
  pending: names,
  failed: z.array(z.strictObject({ path: z.string(), error: z.string() })),
});
export type OutstandingV3 = Readonly<z.infer<typeof outstandingV3>>;

export const previewV3 = z.strictObject({
  deploy_needed: z.boolean(),
  outstanding: outstandingV3,
  diff: z.strictObject({
    settings: z.strictObject({ create: names, update: names, delete: names }),
    /** Fields of the manifest that differ from the revision that is out. */
    revision: z.strictObject({ update: names }),
    files: z.strictObject({ create: names, update: names, delete: names }),
  }),
});
export type PreviewV3 = Readonly<z.infer<typeof previewV3>>;

export const deployedV3 = z.strictObject({
  revision: z.int().positive(),
  /** False where nothing differed and the revision was out already. */
  created: z.boolean(),
  published: z.boolean(),
  channel: z.literal("stable"),
});

/** What an operator keeps for edge apps: team → name of a setting → token (V3-58). */
export const oauthTokensV3 = z.record(
  z.string(),
  z.record(z.string(), z.looseObject({ token: z.string() })),
);
