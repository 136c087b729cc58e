// Lets a new asset share the stored bytes of another; from then on both need them (V4-214).

import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type {
  DatabaseKind,
  Run,
  Statement,
} from "../../platform/database/database.ts";
import { addressOfFile } from "../files/signed-addresses.ts";

export interface Pair {
  readonly from: string;
  readonly to: string;
}

/** Within the transaction that creates the new assets, which are `finished`. */
export function createShareFiles(
  kind: DatabaseKind,
): (run: Run, pairs: readonly Pair[]) => Promise<void> {
  const statement = (text: string, values: readonly unknown[]): Statement => {
    let at = 0;
    return kind === "sqlite"
      ? { text, values }
      : { text: text.replaceAll("?", () => `$${(at += 1)}`), values };
  };
  // Until this transaction ends, the row, and with it the claim on the bytes, cannot be deleted.
  const lock = kind === "postgres" ? " FOR SHARE" : "";

  return async (run, pairs) => {
    for (const { from, to } of pairs) {
      const [found] = await run(
        statement(
          `SELECT source_hash, file_hash, preview_hash FROM asset_intakes WHERE asset_id = ?${lock}`,
          [from],
        ),
      );
      if (!found)
        throw new Failure("conflict", serviceSentences["file-deleted"]);
      await run(
        statement(
          "INSERT INTO asset_intakes (asset_id, source_hash, file_hash, preview_hash) VALUES (?, ?, ?, ?)",
          [to, found["source_hash"], found["file_hash"], found["preview_hash"]],
        ),
      );
      await run(
        statement(
          "UPDATE assets SET asset_url = ?, thumbnail_uri = ? WHERE id = ?",
          [
            addressOfFile(to),
            found["preview_hash"] === null
              ? null
              : addressOfFile(to, "thumbnail"),
            to,
          ],
        ),
      );
    }
  };
}
