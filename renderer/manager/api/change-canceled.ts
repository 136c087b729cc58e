// A change that the person has canceled when asked about it: nothing was sent, and nothing has failed.

import { Failure } from "../../../server/core/failure.ts";
import { t } from "../../locales/messages.ts";

export class ChangeCanceled extends Failure {
  constructor() {
    super("conflict", t("whatIf.canceled"));
  }
}
