// What an operation of the content service demands of a role and of a limit to labels (V4-361, V4-362).

import type { Role } from "../core/role.ts";

export interface OperationAccess {
  readonly least: Role;
  /** What a limit to labels means here: nothing, the operation checks what it affects, or it is refused. */
  readonly limits: "none" | "checked" | "refused";
}

/** Changes nothing, or nothing that is shown. */
export const reads = (least: Role): OperationAccess => ({
  ...{ least, limits: "none" },
});
/** Refused to everyone with a limit. */
export const writes = (least: Role): OperationAccess => ({
  ...{ least, limits: "refused" },
});
/** Checks what it affects. */
export const writesWithin = (least: Role): OperationAccess => ({
  ...{ least, limits: "checked" },
});
