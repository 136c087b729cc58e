// Backup manifest, the first member of an archive: what made it, when, and the list of all other members.

import * as z from "zod";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { OutsideError } from "../../platform/outside-error.ts";

export const manifestPath = "manifest.json";
export const databasePath = "vitrine.db";

/** Raised when older players can no longer read an archive. */
const format = 1;
const product = "vitrine";
/** A hundred thousand files and more; a longer manifest is not from this program. */
export const maxManifestBytes = 16 * 1024 * 1024;

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  product: z.literal(product),
  format: z.literal(format),
  /** Version of the player that made it. */
  version: z.string().max(100),
  created: z.string().max(40),
  player: z.string().max(1000),
  members: z.array(
    z
      .object({
        path: z.string(),
        size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
        sha256: hash,
      })
      // A file is stored under its hash, so that no path in an archive can lead anywhere else.
      .refine(({ path, sha256 }) =>
        [databasePath, pathOfFile(sha256)].includes(path),
      ),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ListedMember = Manifest["members"][number];

export function pathOfFile(hash: string): string {
  return `files/${hash}`;
}

export function manifestToBytes(
  contents: Omit<Manifest, "product" | "format">,
): Buffer {
  const manifest: Manifest = { product, format, ...contents };
  return Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
}

/** The listed members by path; throws `corrupt` with the reason. */
export function membersOfManifest(
  bytes: Buffer,
): ReadonlyMap<string, ListedMember> {
  const raw = parseJson(bytes);
  const { product: maker, format: written } = Object(raw) as Partial<Manifest>;
  if (maker !== product)
    throw new OutsideError("corrupt", playerSentences["archive-not-ours"]);
  if (typeof written === "number" && written > format)
    throw new OutsideError(
      "corrupt",
      composeSentence(playerSentences["archive-newer"], { written, format }),
    );
  const parsed = manifestSchema.safeParse(raw);
  const members = new Map(
    parsed.data?.members.map((member) => [member.path, member]),
  );
  if (!parsed.success || members.size !== parsed.data.members.length)
    throw new OutsideError("corrupt", playerSentences["archive-manifest"]);
  if (!members.has(databasePath))
    throw new OutsideError("corrupt", playerSentences["archive-no-database"]);
  return members;
}

export type Maker = Readonly<Record<"player" | "version" | "created", string>>;

/** Which player made it and when, from a manifest that has already been validated. */
export function makerIn(bytes: Buffer): Maker {
  const { player, version, created } = manifestSchema.parse(parseJson(bytes));
  return { player, version, created };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
