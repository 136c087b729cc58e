// Handlers of the version 2 operations, each by its name in the contract's table.

import type { RequestHandler } from "express";
import type {
  OperationId,
  OperationsV2,
  PathParameters,
} from "../../../contract/v2/operations/v2-operations.ts";

/** Exactly the operations of the table: a missing or misspelled one does not compile (V2-90). */
export type Handlers = {
  readonly [Id in OperationId]: HandlerAt<
    PathParameters<OperationsV2[Id]["path"]>
  >;
};

type HandlerAt<Parameters> = unknown extends Parameters
  ? RequestHandler
  : RequestHandler<Parameters>;
