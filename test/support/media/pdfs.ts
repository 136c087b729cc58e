// Generates PDFs: plain, encrypted, one that takes minutes to draw, and one that fills the memory.

import { constants, deflateRawSync } from "node:zlib";
import {
  degrees,
  PDFDocument,
  PDFName,
  rgb,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { Colour } from "./media.ts";

export interface PdfPage {
  readonly colour: Colour;
  /** In points; the shape of a usual display by default. */
  readonly width?: number;
  readonly height?: number;
  readonly words?: string;
  /** The page's own rotation, clockwise. */
  readonly rotation?: 0 | 90 | 180 | 270;
}

export async function pdf(
  pages: readonly PdfPage[],
  password?: string,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const pageOptions of pages) {
    const {
      colour,
      width = 960,
      height = 540,
      words,
      rotation = 0,
    } = pageOptions;
    const [red, green, blue] = colour.map((part) => part / 255) as [
      number,
      number,
      number,
    ];
    const page = document.addPage([width, height]);
    page.setRotation(degrees(rotation));
    page.drawRectangle({ width, height, color: rgb(red, green, blue) });
    if (words !== undefined)
      page.drawText(words, { x: 40, y: 40, size: 48, font });
  }
  if (password !== undefined)
    document.encrypt({ userPassword: password, ownerPassword: "owner" });
  return Buffer.from(await document.save());
}

/** One page, made of two parts, each of two parts, and so on down to thousands of empty ones. */
export async function endlessPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const { context } = document;
  const part = { Type: "XObject", Subtype: "Form", BBox: [0, 0, 960, 540] };
  let whole = context.register(context.flateStream(" ".repeat(2 ** 23), part));
  for (let level = 0; level < 14; level += 1)
    whole = context.register(
      context.flateStream("/Part Do /Part Do ", {
        ...part,
        Resources: { XObject: { Part: whole } },
      }),
    );
  const page = document.addPage([960, 540]);
  page.node.setXObject(PDFName.of("Part"), whole);
  const contents = context.register(context.flateStream("/Part Do "));
  page.node.set(PDFName.of("Contents"), contents);
  return Buffer.from(await document.save());
}

/** A megabyte whose objects unpack to more than a gigabyte of blanks. */
export function swellingPdf(): Buffer {
  const blanks = Buffer.alloc(64 * 1024 ** 2, " ");
  const packed = deflateRawSync(blanks, {
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const objects = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: 20 }, () => packed),
    Buffer.from([0x03, 0x00]),
  ]);
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 1/First 10/Filter/FlateDecode/Length ${objects.length}>>\nstream\n`,
    ),
    objects,
    Buffer.from("\nendstream\nendobj\nstartxref\n9\n%%EOF\n"),
  ]);
}
