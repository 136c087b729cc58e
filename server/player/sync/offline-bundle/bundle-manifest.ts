// Manifest and signature of an offline bundle, its first two members: validated field by field, and who signed it.

import { bundleSentences } from "../../../contract/sentences/bundle-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { assetLimits } from "../../../core/asset-limits.ts";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import * as z from "zod";
import { parsePredicate } from "../../../core/predicate/predicate.ts";
import { maxAppFiles } from "../../../core/app-limits.ts";
import { isAppPath } from "../../../core/app-path.ts";
import {
  fetchedFilesOf,
  filesOfAsset,
  type DesiredContent,
  type DesiredAsset,
} from "../../../core/sync-plan/desired-content.ts";
import { OutsideError } from "../../../platform/outside-error.ts";
import { md5OfApp } from "../edge-apps/map-app.ts";

export const manifestPath = "plan.json";
export const signaturePath = "plan.sig";
/** Ten thousand assets take a tenth of it. */
export const maxManifestBytes = 64 * 1024 * 1024;
export const maxSignatureBytes = 4096;

export function pathOfFile(md5: string): string {
  return `files/${md5}`;
}

const product = "vitrine-plan";
/** Raised when an older player could no longer read it. */
const format = 1;
/** Signed along with the manifest: a signature of anything else is not accepted for a bundle. */
const signedMark = Buffer.from("vitrine-plan-1\n");

const remoteId = z.string().regex(/^[\w-]{1,48}$/);
const md5 = z.string().regex(/^[0-9a-f]{32}$/);
const sizeBytes = z.int().nonnegative();
const name = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => !/[\0\uD800-\uDFFF]/u.test(text));
const maybeNumber = z.number().nullable();
const json = z.record(z.string(), z.json());

const presentation = z.object({
  fit: z.enum(["fit", "fill", "natural"]).nullable(),
  volume: z.number().min(0).max(100).nullable(),
  isMuted: z.boolean(),
  pages: z.array(z.int().positive()).nullable(),
  rotation: z.literal([0, 90, 180, 270]),
});

const web = z.object({
  headers: z.record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/),
    z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/),
  ),
  userAgent: z.string().max(4096).nullable(),
  zoomPercent: z.number().min(25).max(500).nullable(),
  script: z.string().max(1_048_576).nullable(),
  refreshSeconds: z.number().positive().nullable(),
  isMetadataSent: z.boolean(),
  isRenderedHere: z.boolean(),
  screenshotCacheSeconds: z.number().nonnegative().nullable(),
  isCertificateSkipped: z.boolean(),
});

/** Secret settings of an app do not travel; only the mark that stands for them does. */
const app = z.object({
  entry: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), path: z.string().refine(isAppPath) }),
    z.object({
      kind: z.literal("remote"),
      url: z
        .string()
        .max(assetLimits.addressLetters)
        .regex(/^https?:\/\/[^/?#\s]/i)
        .refine((url) => URL.canParse(url)),
    }),
  ]),
  waitsForSignal: z.boolean(),
  settings: z.record(z.string(), z.string()),
  secretsMark: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  files: z
    .array(
      z.object({
        path: z.string().refine(isAppPath),
        ...{ md5, sizeBytes: sizeBytes.nullable() },
      }),
    )
    .max(maxAppFiles),
});

const asset = z.object({
  remoteId,
  file: z.object({ md5, sizeBytes: sizeBytes.nullable() }).nullable(),
  facts: z.object({
    name,
    // Only pages and streams are loaded from it, never a file of this machine.
    uri: z
      .string()
      .max(assetLimits.addressLetters)
      .regex(/^(https?|rtsp):\/\/[^/?#\s]/i),
    mimetype: z.string().max(255),
    startsAt: maybeNumber,
    endsAt: maybeNumber,
    durationSeconds: z.int().min(0).max(assetLimits.durationSeconds),
    isEnabled: z.boolean(),
    isPlaylistOnly: z.boolean(),
    ...{ presentation, web, metadata: json },
  }),
  isInLibrary: z.literal(true).optional(),
  app: app.optional(),
});

const playlist = z.object({
  remoteId,
  facts: z.object({
    name,
    predicate: z
      .string()
      .max(4096)
      .refine((text) => !parsePredicate(text).problem),
    priority: z.int().min(0).max(100),
    isEnabled: z.boolean(),
    transition: z.enum(["cut", "cross-fade"]).nullable(),
    isShuffled: z.boolean().nullable(),
    createdAt: z.number(),
    items: z
      .array(
        z.object({
          assetId: remoteId,
          durationSeconds: z
            .int()
            .min(1)
            .max(assetLimits.durationSeconds)
            .nullable(),
        }),
      )
      .max(100_000),
  }),
});

const shape = z.object({
  product: z.literal(product),
  format: z.literal(format),
  /** Name of the player that exported it. */
  from: z.string().max(1000),
  /** Identifies the connection on that player: a newer bundle of the same connection replaces the older one. */
  source: z.string().regex(/^[0-9a-f]{8}$/),
  made: z.iso.datetime(),
  wanted: z.object({
    assets: z.array(asset).max(100_000),
    playlists: z.array(playlist).max(100_000),
  }),
  files: z
    .array(
      z.object({
        md5,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        sizeBytes,
      }),
    )
    .max(100_000),
});
export type PlanManifest = z.infer<typeof shape>;

export function manifestToBytes(
  contents: Omit<PlanManifest, "product" | "format" | "wanted"> & {
    readonly wanted: DesiredContent;
  },
): Buffer {
  return Buffer.from(JSON.stringify({ product, format, ...contents }));
}

/** Throws `corrupt` with the reason; every entry is unique, and every reference resolves. */
export function manifestFrom(bytes: Buffer): PlanManifest {
  const raw = parsed(bytes);
  const { product: maker, format: written } = Object(
    raw,
  ) as Partial<PlanManifest>;
  if (maker !== product) throw corrupt(bundleSentences["not-a-bundle"]);
  if (typeof written === "number" && written > format)
    throw corrupt(composeSentence(bundleSentences.newer, { format: written }));
  const reading = shape.safeParse(raw);
  if (!reading.success) {
    const [issue] = reading.error.issues;
    throw corrupt(
      composeSentence(bundleSentences.damaged, {
        place: issue?.path.join(".") ?? "its start",
      }),
    );
  }
  const { wanted, files } = reading.data;
  const ids = new Set(wanted.assets.map((one) => one.remoteId));
  const lists = new Set(wanted.playlists.map((one) => one.remoteId));
  const md5s = new Map(files.map((file) => [file.md5, file]));
  const hashes = new Set(files.map(({ sha256 }) => sha256));
  const isValid =
    ids.size === wanted.assets.length &&
    lists.size === wanted.playlists.length &&
    md5s.size === files.length &&
    hashes.size === files.length &&
    wanted.assets.every((one) =>
      fetchedFilesOf(one).every(({ md5: needed }) => md5s.has(needed)),
    ) &&
    wanted.assets.every(isCompleteApp) &&
    wanted.playlists.every(({ facts }) =>
      facts.items.every(({ assetId }) => ids.has(assetId)),
    );
  if (!isValid) throw corrupt(bundleSentences["lists-twice"]);
  return reading.data;
}

function isCompleteApp({ app, file }: DesiredAsset): boolean {
  if (!app) return true;
  const paths = new Set(app.files.map(({ path }) => path));
  const { entry } = app;
  return (
    paths.size === app.files.length &&
    (entry.kind === "remote" || paths.has(entry.path)) &&
    file?.md5 === md5OfApp(app)
  );
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw corrupt(bundleSentences["plan-invalid"]);
  }
}

const signatureShape = z.object({
  key: z.base64().max(500),
  signature: z.base64().max(500),
});

/** MD5 of what is shown: of the files in the bundle, and of app descriptions, which are generated on arrival. */
export function filesShownWith({
  files,
  wanted,
}: PlanManifest): readonly string[] {
  const shown = wanted.assets.flatMap(filesOfAsset);
  return [...new Set([...files, ...shown].map(({ md5 }) => md5))];
}

export function signatureToBytes(key: KeyObject, manifest: Buffer): Buffer {
  const signature = sign(null, Buffer.concat([signedMark, manifest]), key);
  const spki = createPublicKey(key).export({ type: "spki", format: "der" });
  return Buffer.from(
    JSON.stringify({
      key: spki.toString("base64"),
      signature: signature.toString("base64"),
    }),
  );
}

/** The fingerprint of the key that signed exactly these bytes; throws `corrupt`. */
export function signerOf(signature: Buffer, manifest: Buffer): string {
  const reading = signatureShape.safeParse(parsed(signature));
  if (!reading.success) throw corrupt(bundleSentences["signature-unreadable"]);
  const spki = Buffer.from(reading.data.key, "base64");
  const isRight = isSigned(
    spki,
    Buffer.from(reading.data.signature, "base64"),
    Buffer.concat([signedMark, manifest]),
  );
  if (!isRight) throw corrupt(bundleSentences["signature-wrong"]);
  return fingerprintOf(spki);
}

function isSigned(spki: Buffer, signature: Buffer, signed: Buffer): boolean {
  try {
    const key = createPublicKey({ key: spki, type: "spki", format: "der" });
    return (
      key.asymmetricKeyType === "ed25519" &&
      verify(null, signed, key, signature)
    );
  } catch {
    return false;
  }
}

/** 64 hex digits, for people to compare. */
function fingerprintOf(spki: Buffer): string {
  return createHash("sha256").update(spki).digest("hex");
}

export function fingerprintOfKey(key: KeyObject): string {
  return fingerprintOf(
    createPublicKey(key).export({ type: "spki", format: "der" }),
  );
}

export function keyFromText(text: string): KeyObject | null {
  try {
    return createPrivateKey({
      key: Buffer.from(text, "base64"),
      ...{ type: "pkcs8", format: "der" },
    });
  } catch {
    return null;
  }
}

export function corrupt(message: string): OutsideError {
  return new OutsideError("corrupt", message);
}
