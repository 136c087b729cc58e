// App manifest (screenly.yml): entry page, settings, and whether the app is shown only once it signals that it is ready.

import { parse } from "yaml";
import * as z from "zod";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { fieldFailure } from "../../core/failure.ts";

export interface AppManifest {
  readonly entry:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "remote"; readonly url: string };
  readonly waitsForSignal: boolean;
  /** With their defaults; a setting without one is missing. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Without an entry in the manifest, an app starts as every folder of web files does. */
const defaultEntry = "index.html";

const value = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const entrypoint = z.union([
  z.string().transform((uri) => ({ type: "file" as const, uri })),
  z.object({
    type: z.enum(["file", "remote-global", "remote-local"]),
    uri: z.string().nullish(),
  }),
]);

const setting = z.object({ default_value: value.nullish() });

const manifest = z.object({
  entrypoint: entrypoint.nullish(),
  ready_signal: z.boolean().nullish(),
  settings: z.record(z.string(), setting.nullable()).nullish(),
});

const instance = z.object({ entrypoint_uri: z.string().nullish() });

/** Throws `invalid` on the field, with the reason. */
export function manifestOf(
  text: string | null,
  instanceText: string | null,
  field: string,
): AppManifest {
  const read = readAs(manifest, text, "screenly.yml", field);
  const settings = Object.entries(read.settings ?? {}).flatMap(
    ([name, one]) => {
      const given = one?.default_value;
      return given === undefined || given === null ? [] : [[name, given]];
    },
  );
  return {
    entry: entryOf(read.entrypoint ?? null, instanceText, field),
    waitsForSignal: read.ready_signal ?? false,
    settings: Object.fromEntries(settings) as Record<string, string>,
  };
}

function entryOf(
  given: z.infer<typeof entrypoint> | null,
  instanceText: string | null,
  field: string,
): AppManifest["entry"] {
  if (given === null || given.type === "file") {
    const path = (given?.uri || defaultEntry).replace(/^(\.?\/)+/, "");
    return { kind: "file", path };
  }
  const url =
    given.type === "remote-local"
      ? readAs(instance, instanceText, "instance.yml", field).entrypoint_uri
      : given.uri;
  if (!url || !/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw fieldFailure(
      field,
      composeSentence(playerSentences["app-entry-remote"], {
        type: given.type,
      }),
    );
  return { kind: "remote", url };
}

function readAs<Shape extends z.ZodType>(
  shape: Shape,
  text: string | null,
  name: string,
  field: string,
): z.infer<Shape> {
  let raw: unknown;
  try {
    // A document that expands through many aliases is rejected, not expanded.
    raw = text === null ? {} : (parse(text, { maxAliasCount: 50 }) ?? {});
  } catch {
    throw fieldFailure(
      field,
      composeSentence(playerSentences["app-yaml"], { name }),
    );
  }
  const parsed = shape.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "it";
  throw fieldFailure(
    field,
    composeSentence(playerSentences["app-manifest"], { name, where }),
  );
}
