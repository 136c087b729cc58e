// The support bundle that a player sent on the command collect-logs, as a file (V3-132).

import { pipeline } from "node:stream/promises";
import { teamOf } from "../../access/access.ts";
import type { Methods } from "../../http/routes.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";

export function createSupportBundleRoute(v3: V3): Methods {
  return {
    GET: async (request, response) => {
      const id = request.params["id"] ?? "";
      const bundle = await v3.link.supportBundles.find(teamOf(response), id);
      if (!bundle) throw notFound();
      if ((await v3.store.sizeOf(bundle.hash)) === null) throw notFound();
      response
        .setHeader("Content-Type", "application/gzip")
        .setHeader("Content-Length", bundle.sizeBytes)
        .setHeader("Cache-Control", "no-store")
        .setHeader(
          "Content-Disposition",
          'attachment; filename="support-bundle.tar.gz"',
        );
      if (request.method === "HEAD") response.end();
      else
        await pipeline(await v3.store.read(bundle.hash), response).catch(
          // The client is gone, or the file was removed while it was read: the response is cut off.
          () => response.destroy(),
        );
    },
  };
}
