// Builds zip files by hand, valid or invalid in any place.

import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly path: string;
  readonly content: Buffer | string;
  /** As Unix writes it; a plain file by default. */
  readonly mode?: number;
  /** What the header states instead of the actual value. */
  readonly crc?: number;
  readonly size?: number;
}

const deflated = 8;

export function zip(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.path);
    const content = Buffer.from(member.content);
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(deflated, 4);
    fields.writeUInt32LE(member.crc ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(member.size ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, name]);
    local.push(head, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((member.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, 3]);
    central.push(Buffer.from("PK\u0001\u0002"), madeBy, fields, tail, name);
    offset += head.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([
    ...local,
    directory,
    Buffer.from("PK\u0005\u0006"),
    end,
  ]);
}
