// Builds tar archives by hand, valid or invalid in any place.

import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { Header } from "tar";

type HeaderType =
  NonNullable<ConstructorParameters<typeof Header>[0]> extends
    | Buffer
    | (infer Data)
    ? Data extends { type?: infer Type }
      ? Type
      : never
    : never;

export interface TarMember {
  readonly path: string;
  readonly content?: Buffer | string;
  /** The default is a file. */
  readonly type?: HeaderType;
  readonly linkpath?: string;
  /** What the header states instead of the actual size. */
  readonly size?: number;
}

const end = Buffer.alloc(1024);

export function tar(members: readonly TarMember[]): Buffer {
  return Buffer.concat([...members.map(blocksOf), end]);
}

export function tarGz(members: readonly TarMember[]): Buffer {
  return gzipSync(tar(members), { level: 1 });
}

function blocksOf(member: TarMember): Buffer {
  const content = Buffer.from(member.content ?? "");
  const header = new Header({
    path: member.path,
    type: member.type ?? "File",
    size: member.size ?? content.length,
    linkpath: member.linkpath ?? "",
    mode: 0o644,
  });
  if (header.encode()) throw new Error("this name needs an extended header");
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header.block as Buffer, content, padding]);
}

/** The same archive, with placeholders in its names replaced by these letters, a byte each. */
export function tarNamed(
  members: readonly TarMember[],
  letters: Readonly<Record<string, number>>,
): Buffer {
  const bytes = tar(members);
  for (let at = 0; at < bytes.length; at += 512) {
    if (bytes.toString("latin1", at + 257, at + 262) !== "ustar") continue;
    const block = bytes.subarray(at, at + 512);
    for (const field of [block.subarray(0, 100), block.subarray(345, 500)])
      for (const [place, byte] of field.entries())
        field[place] = letters[String.fromCharCode(byte)] ?? byte;
    block.fill(" ", 148, 156);
    const sum = block.reduce((all, byte) => all + byte, 0);
    block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return bytes;
}

/** Members of a valid archive, in order. */
export function membersOf(archive: Buffer): TarMember[] {
  const bytes = gunzipSync(archive);
  const members: TarMember[] = [];
  for (let at = 0; bytes[at] !== 0;) {
    const { path = "", size = 0 } = new Header(bytes, at);
    members.push({ path, content: bytes.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return members;
}

/** The archive with these members and a matching manifest, unless `amend` changes it. */
export function repacked(
  members: readonly TarMember[],
  amend: (manifest: Record<string, unknown>) => unknown = (same) => same,
): Buffer {
  const [first, ...rest] = members;
  const manifest = JSON.parse(String(first?.content)) as Record<
    string,
    unknown
  >;
  const listed = rest.map(({ path, content = "" }) => ({
    path,
    size: Buffer.byteLength(content),
    sha256: sha256(content),
  }));
  const content = JSON.stringify(amend({ ...manifest, members: listed }));
  return tarGz([{ path: first?.path ?? "", content }, ...rest]);
}

export function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}
