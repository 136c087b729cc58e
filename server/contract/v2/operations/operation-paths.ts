// Method and path of each operation of version 2, without its description. Pages are bundled with the values alone.

import { operationsV2 } from "./v2-operations.ts";
import type { MethodV2 } from "./v2-operation.ts";

export interface OperationPath {
  readonly id: string;
  readonly method: MethodV2;
  readonly path: string;
}

export const operationPaths: readonly OperationPath[] = operationsV2.map(
  ({ id, method, path }) => ({ id, method, path }),
);
