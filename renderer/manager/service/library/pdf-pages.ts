// Single pages of PDFs in a content service: assets that a playlist can have, but that the library shows as part of their PDF.

import { defaultDurationSeconds } from "../../../../server/core/asset-limits.ts";
import {
  idIn,
  nameOf,
  numberIn,
  textIn,
  type Row,
} from "../../../../server/contract/service-rows/read-rows.ts";

interface PdfPage {
  readonly id: string;
  readonly name: string;
  readonly pdfId: string | null;
  readonly isEnabled: boolean;
  readonly durationSeconds: number;
}

export interface PdfPages {
  readonly pages: readonly PdfPage[];
  /** PDFs all of whose pages are switched off: nothing of them plays (V3-101). */
  readonly hiddenIds: ReadonlySet<string>;
}

export function pdfPagesIn(rows: readonly Row[]): PdfPages {
  const pages = rows.flatMap((row): readonly PdfPage[] => {
    const id = idIn(row);
    if (id === null || textIn(row, "type") !== "pdf-page") return [];
    return [
      {
        ...{ id, name: nameOf(row, id), pdfId: idIn(row, "pdf_asset_id") },
        isEnabled:
          row["pdf_page_enabled"] !== false && row["status"] !== "error",
        durationSeconds: numberIn(row, "duration") || defaultDurationSeconds,
      },
    ];
  });
  const hidden = new Set(pages.flatMap(({ pdfId }) => pdfId ?? []));
  for (const row of rows)
    if (textIn(row, "type") === "pdf-page" && row["pdf_page_enabled"] !== false)
      hidden.delete(idIn(row, "pdf_asset_id") ?? "");
  return { pages, hiddenIds: hidden };
}
