// Spans of requests to object storage: the operation and the bucket; never a key or a signed address.

import type { S3Client } from "@aws-sdk/client-s3";
import { inSpan, type Traces } from "./traces.ts";

/** The trace goes along in headers that are not part of the signature. */
export function traceStorage(
  client: S3Client,
  bucket: string,
  traces: Traces,
): void {
  client.middlewareStack.add(
    (next, context) => (args) => {
      const command = String(context["commandName"]).replace(/Command$/, "");
      return inSpan(
        traces,
        {
          ...{ name: `S3.${command}`, kind: "client" },
          attributes: {
            "rpc.system.name": "aws-api",
            "rpc.method": `S3/${command}`,
            "aws.s3.bucket": bucket,
          },
        },
        () => next(args),
      );
    },
    { step: "initialize", name: "traceOperation" },
  );
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers?: Record<string, string> };
      if (headers) Object.assign(headers, traces.current()?.headers());
      return next(args);
    },
    // After the signature.
    { step: "finalizeRequest", priority: "low", name: "sendTrace" },
  );
}
