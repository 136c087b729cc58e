// Fuzzing: randomly damaged media of every playable kind; the same for the same seed.

import sharp, { type Sharp } from "sharp";
import { drawing, type Draw } from "../database/damage.ts";
import { clip } from "./media.ts";
import { pdf } from "./pdfs.ts";

type Mutation = (bytes: Buffer, draw: Draw) => Buffer;

const [width, height] = [320, 180];

/** A gradient with grain, the same each time: neither tiny nor all noise. */
function grained(frames = 1): Sharp {
  const draw = drawing(1);
  const bytes = Buffer.alloc(width * height * 3 * frames);
  for (let at = 0; at < bytes.length; at += 1)
    bytes.writeUInt8(Math.floor((at / bytes.length) * 200) + draw(32), at);
  return sharp(bytes, {
    raw: {
      ...{ width, height: height * frames, channels: 3 },
      ...(frames > 1 && { pageHeight: height }),
    },
  });
}

const whole: Readonly<Record<string, () => Promise<Buffer>>> = {
  png: () => grained().png().toBuffer(),
  jpeg: () => grained().jpeg().toBuffer(),
  webp: () => grained().webp().toBuffer(),
  gif: () =>
    grained(4)
      .gif({ delay: [100, 100, 100, 100] })
      .toBuffer(),
  avif: () => grained().avif({ effort: 0 }).toBuffer(),
  svg: async () => {
    const png = await grained().resize(64).png().toBuffer();
    return Buffer.from(
      `<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360"><defs><g id="a"><rect width="100" height="100" fill="#c00"/></g></defs><style>text{font-size:40px}</style><use href="#a" x="20" y="20"/><text x="10" y="200">Words</text><image width="64" height="36" href="data:image/png;base64,${png.toString("base64")}"/></svg>`,
    );
  },
  mp4: () =>
    clip({ colour: [200, 30, 30], seconds: 1, width: 320, height: 180 }),
  webm: () =>
    clip({
      colour: [30, 200, 30],
      seconds: 1,
      width: 320,
      height: 180,
      container: "webm",
    }),
  pdf: () =>
    pdf([{ colour: [30, 30, 200], words: "Page" }, { colour: [9, 9, 9] }]),
};

const mutations: Readonly<Record<string, Mutation>> = {
  "a bit flipped": (bytes, draw) => {
    const at = draw(bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << draw(8)), at);
    return bytes;
  },
  "some bytes made other ones": (bytes, draw) => {
    for (let count = 0; count < 1 + draw(20); count += 1)
      bytes.writeUInt8(draw(256), draw(bytes.length));
    return bytes;
  },
  "a byte of its head made another": (bytes, draw) => {
    bytes.writeUInt8(draw(256), draw(Math.min(bytes.length, 128)));
    return bytes;
  },
  "a length made huge": (bytes, draw) => {
    const at = draw(Math.min(bytes.length, 4096) - 4);
    bytes.writeUInt32BE([0xffffffff, 0x7fffffff, 0, 1][draw(4)] ?? 0, at);
    return bytes;
  },
  "cut off": (bytes, draw) => bytes.subarray(0, draw(bytes.length)),
  "a piece taken out": (bytes, draw) => {
    const from = draw(bytes.length);
    const length = 1 + draw(1000);
    return Buffer.concat([
      bytes.subarray(0, from),
      bytes.subarray(from + length),
    ]);
  },
  "a piece repeated": (bytes, draw) => {
    const from = draw(bytes.length);
    const piece = bytes.subarray(from, from + 1 + draw(1000));
    const copies = Array<Buffer>(1 + draw(50)).fill(piece);
    return Buffer.concat([
      bytes.subarray(0, from),
      ...copies,
      bytes.subarray(from),
    ]);
  },
  "a piece of nothing": (bytes, draw) => {
    const from = draw(bytes.length);
    return bytes.fill(0, from, Math.min(bytes.length, from + 1 + draw(2000)));
  },
  "a piece of noise": (bytes, draw) => {
    const from = draw(bytes.length);
    const to = Math.min(bytes.length, from + 1 + draw(500));
    for (let at = from; at < to; at += 1) bytes.writeUInt8(draw(256), at);
    return bytes;
  },
};

export interface MutatedMedia {
  readonly kind: string;
  readonly mutation: string;
  readonly bytes: Buffer;
}

/** Each undamaged file is generated once. */
export async function openMutatedMedia(): Promise<
  (seed: number) => MutatedMedia
> {
  const created = await Promise.all(
    Object.entries(whole).map(async ([kind, make]) => ({
      kind,
      bytes: await make(),
    })),
  );
  const ways = Object.entries(mutations);
  return (seed) => {
    const { kind, bytes } = created[seed % created.length] ?? {
      kind: "",
      bytes: Buffer.alloc(1),
    };
    const [mutation, mutate] = ways[
      Math.floor(seed / created.length) % ways.length
    ] ?? ["", (all: Buffer) => all];
    return { kind, mutation, bytes: mutate(Buffer.from(bytes), drawing(seed)) };
  };
}
