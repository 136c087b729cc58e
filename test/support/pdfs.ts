// PDFs made on the spot: plain, locked and broken.

import { degrees, PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import type { Colour } from "./media.ts";

export interface PdfPage {
  readonly colour: Colour;
  /** In points; the shape of a usual display unless told otherwise. */
  readonly width?: number;
  readonly height?: number;
  readonly words?: string;
  /** What the page says of itself, clockwise. */
  readonly rotation?: 0 | 90 | 180 | 270;
}

export async function pdf(
  pages: readonly PdfPage[],
  password?: string,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const wish of pages) {
    const { colour, width = 960, height = 540, words, rotation = 0 } = wish;
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
