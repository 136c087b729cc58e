// The assets of a content service, the latest first.

import {
  assetFieldFromV3,
  assetFromRow,
} from "../../../../server/contract/service-rows/asset-from-row.ts";
import { pdfPagesIn } from "./pdf-pages.ts";
import { createTaggedList } from "../../service-requests/tagged-list.ts";

/** No addresses of files: they are renewed every hour, and the list with them. */
const columns = [
  ...["id", "title", "type", "status", "processing_error", "mimetype"],
  ...["md5", "source_md5", "source_size", "source_url", "duration"],
  ...["headers", "metadata", "js_injection"],
  ...["send_metadata", "disable_verification", "asset_groups(title)"],
  ...["pdf_asset_id", "pdf_page_enabled"],
];

/** Version 4.0 has no columns of PDF pages. */
export const assetList = createTaggedList({
  path: `/api/v4.1/assets?select=${columns.join()}&order=id.desc`,
  convert: (rows) => ({
    assets: rows.map(assetFromRow).filter((asset) => asset !== null),
    pdfPages: pdfPagesIn(rows),
  }),
  nameOf: assetFieldFromV3,
});
