// Thumbnail of the first page of a PDF, for file lists.

/** Returns a `data:` URL. Throws when the PDF cannot be opened or drawn. */
export async function thumbnailOfPdf(
  url: string,
  longestSide: number,
): Promise<string> {
  const late = await import("./late/pdf.ts");
  const pdf = await late.openPdf(url);
  try {
    const canvas = document.createElement("canvas");
    await pdf.draw(1, canvas, { width: longestSide, height: longestSide }, 0);
    return canvas.toDataURL("image/webp", 0.8);
  } finally {
    pdf.close();
  }
}
